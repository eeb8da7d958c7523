// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the names of tests on all pages, and the numbers in docs/quality.md, with the code. */
class QualityDocumentTest {

  private static final String PAGE = "docs/quality.md";
  private static final String VECTORS = "policy-json/src/test/resources/vectors/policy.json";
  private static final Pattern TEST_CLASS =
      Pattern.compile("`([A-Z][A-Za-z0-9]*(?:Test|Contract))`");

  @Test
  void every_test_class_that_a_page_names_exists() {
    Set<String> named = new TreeSet<>();
    for (Path page : Repository.pages()) {
      TEST_CLASS.matcher(Repository.read(page)).results().forEach(m -> named.add(m.group(1)));
    }

    assertThat(named).hasSizeGreaterThan(50);
    assertThat(Repository.javaFiles()).containsAll(named);
  }

  @Test
  void the_number_of_pairs_of_state_and_event_is_right() {
    assertThat(documented("(\\d+) pairs of state and event"))
        .isEqualTo(TaskState.values().length * TaskEvent.values().length);
  }

  @Test
  void the_numbers_of_decision_vectors_are_right() {
    JsonNode vectors = JsonMapper.shared().readTree(Repository.read(VECTORS));
    int decisions = vectors.valueStream().mapToInt(v -> v.path("decisions").size()).sum();

    assertThat(documented("(\\d+) policies with")).isEqualTo(vectors.size());
    assertThat(documented("policies with (\\d+) decisions")).isEqualTo(decisions);
  }

  @ParameterizedTest
  @CsvSource({
    "FileLength, files above (\\d+) lines",
    "MethodLength, methods above (\\d+) lines",
    "ParameterNumber, more than (\\d+) parameters"
  })
  void the_limits_of_checkstyle_are_right(String check, String sentence) {
    assertThat(documented(sentence))
        .isEqualTo(
            number(
                Repository.read("config/checkstyle.xml"),
                "<module name=\""
                    + check
                    + "\">(?:\\s|<!--.*?-->)*<property name=\"max\" value=\"(\\d+)\"/>"));
  }

  @Test
  void the_mutation_threshold_is_right() {
    assertThat(documented("fewer than (\\d+) % of the mutants"))
        .isEqualTo(number(Repository.read("pom.xml"), "<mutationThreshold>(\\d+)<"));
  }

  private static int documented(String sentence) {
    return number(Repository.read(PAGE), sentence);
  }

  private static int number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("a match of %s", pattern).isTrue();
    return Integer.parseInt(matcher.group(1));
  }
}
