// SPDX-License-Identifier: Apache-2.0
package dev.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One name per type, and documents that name what exists. */
class NamesTest {

  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "(?m)^public (?:abstract |final |sealed |non-sealed )*"
              + "(?:class|record|interface|enum|@interface) (\\w+)");
  private static final Pattern ANY_TYPE =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");
  private static final Pattern TYPE_IN_BACKTICKS =
      Pattern.compile("`([A-Z][a-z]+[A-Za-z]*)(?:\\.(\\w+))?`");

  @Test
  void no_two_public_types_share_a_simple_name() {
    Map<String, List<Path>> places = new TreeMap<>();
    for (Path file : SourceTree.mainSources()) {
      Matcher type = PUBLIC_TYPE.matcher(SourceTree.read(file));
      while (type.find()) {
        places.computeIfAbsent(type.group(1), name -> new ArrayList<>()).add(file);
      }
    }

    assertThat(places).hasSizeGreaterThan(200);
    assertThat(places.entrySet()).filteredOn(entry -> entry.getValue().size() > 1).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"docs/glossary.md, 200", "docs/architecture.md, 30", "CONTRIBUTING.md, 20"})
  void every_type_and_member_that_a_document_names_exists(String document, int atLeast) {
    Map<String, String> files = filesByType();
    List<String> missing = new ArrayList<>();
    Matcher entry = TYPE_IN_BACKTICKS.matcher(SourceTree.read(document));
    int checked = 0;
    while (entry.find()) {
      checked++;
      String file = files.get(entry.group(1));
      String member = entry.group(2);
      if (file == null || (member != null && !file.matches("(?s).*\\b" + member + "\\b.*"))) {
        missing.add(entry.group());
      }
    }

    assertThat(checked).isGreaterThan(atLeast);
    assertThat(missing).isEmpty();
  }

  private static Map<String, String> filesByType() {
    Map<String, String> files = new LinkedHashMap<>();
    for (Path file : SourceTree.sources()) {
      String source = SourceTree.read(file);
      Matcher type = ANY_TYPE.matcher(source);
      while (type.find()) {
        files.merge(type.group(1), source, String::concat);
      }
    }
    return files;
  }
}
