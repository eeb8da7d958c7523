// SPDX-License-Identifier: Apache-2.0
package dev.perdure.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dependencies between our modules are those in docs/architecture.md. */
class ModuleGraphTest {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([\\w-]+)/` \\|[^|]*\\|([^|]*)\\|$");
  private static final Pattern NAME = Pattern.compile("`([\\w-]+)`");
  private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
  private static final Pattern PERDURE_ARTIFACT =
      Pattern.compile(
          "(?s)<groupId>dev\\.perdure</groupId>\\s*<artifactId>perdure-([\\w-]+)</artifactId>");

  @Test
  void the_documented_table_matches_the_poms() {
    Map<String, Set<String>> inPoms = new TreeMap<>();
    SourceTree.modules().forEach(module -> inPoms.put(module, dependencies(module)));

    assertThat(inDocument()).isEqualTo(inPoms);
  }

  private static Map<String, Set<String>> inDocument() {
    Map<String, Set<String>> rows = new TreeMap<>();
    ROW.matcher(SourceTree.read("docs/architecture.md"))
        .results()
        .forEach(row -> rows.put(row.group(1), names(row.group(2))));
    return rows;
  }

  private static Set<String> names(String cell) {
    return NAME.matcher(cell)
        .results()
        .map(match -> match.group(1))
        .collect(toCollection(TreeSet::new));
  }

  /** Dependencies of the main code; tests may see more. */
  private static Set<String> dependencies(String module) {
    return DEPENDENCY
        .matcher(SourceTree.read(module + "/pom.xml"))
        .results()
        .map(MatchResult::group)
        .filter(dependency -> !dependency.contains("<scope>test</scope>"))
        .flatMap(dependency -> PERDURE_ARTIFACT.matcher(dependency).results())
        .map(match -> match.group(1))
        .collect(toCollection(TreeSet::new));
  }
}
