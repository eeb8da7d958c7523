// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bad documents of {@code problems.txt}, each followed by every problem that must be told: its path
 * and a part of its message.
 */
class PolicyJsonErrorsTest {

  @ParameterizedTest
  @MethodSource("documents")
  void tells_every_problem_and_no_other(String document, List<String> expected) {
    List<FieldError> fieldErrors = problemsOf(document);

    assertThat(fieldErrors)
        .as("%s%n%s", document, fieldErrors)
        .extracting(FieldError::path)
        .containsExactlyInAnyOrderElementsOf(
            expected.stream().map(PolicyJsonErrorsTest::path).toList());
    for (String line : expected) {
      assertThat(fieldErrors)
          .as("%s: %s", document, line)
          .anyMatch(
              fieldError ->
                  fieldError.path().equals(path(line))
                      && fieldError.message().contains(part(line)));
    }
  }

  @Test
  void tells_an_empty_text_apart() {
    assertThat(problemsOf(""))
        .extracting(FieldError::message)
        .containsExactly("is empty; null means no policy");
    assertThat(problemsOf(" \n")).hasSize(1);
  }

  @Test
  void refuses_more_than_fifty_entries() {
    String delays = "\"1s\",".repeat(50) + "\"1s\"";
    String steps = "{\"count\": 1, \"delay_minutes\": 1},".repeat(50) + "{}";

    assertThat(
            problemsOf(
                "{\"backoff\": {\"type\": \"schedule\", \"delays\": [%s]}}".formatted(delays)))
        .containsExactly(
            new FieldError("backoff.delays", "has 51 entries, at most 50 are allowed"));
    assertThat(problemsOf("[" + steps + "]"))
        .containsExactly(new FieldError("", "has 51 entries, at most 50 are allowed"));
  }

  @Test
  void quotes_little_of_what_it_was_given() {
    String endless = "x".repeat(5_000);
    List<FieldError> fieldErrors =
        problemsOf(
            """
            {"backoff": {"type": "%s"}, "jitter": "%s", "max_delay": "%s", "expires_at": "%s",
             "retry_on": ["%s", "code: %s"], "%s": 1}"""
                .formatted(endless, endless, endless, endless, endless, endless, endless));

    assertThat(fieldErrors).hasSize(7);
    assertThat(fieldErrors)
        .allSatisfy(
            fieldError -> {
              assertThat(fieldError.path()).hasSizeLessThan(100);
              assertThat(fieldError.message()).doesNotContain("x".repeat(61));
            });
  }

  @Test
  void stops_counting_at_a_hundred_problems() {
    String matchers = "1,".repeat(99) + "1";
    List<FieldError> fieldErrors =
        problemsOf(
            "{\"backoff\": {}, \"retry_on\": [%s], \"never_on\": [%s]}"
                .formatted(matchers, matchers));

    assertThat(fieldErrors).hasSize(101);
    assertThat(fieldErrors.getLast().message()).contains("more problems than these 100");
  }

  static Stream<Arguments> documents() throws Exception {
    try (InputStream file = PolicyJsonErrorsTest.class.getResourceAsStream("/problems.txt")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(text.split("\n\n"))
          .filter(block -> !block.startsWith("#"))
          .map(block -> block.lines().toList())
          .map(lines -> arguments(lines.getFirst(), lines.subList(1, lines.size())));
    }
  }

  private static String path(String line) {
    String path = line.substring(0, line.indexOf('|')).strip();
    return path.equals("(whole)") ? "" : path;
  }

  private static String part(String line) {
    return line.substring(line.indexOf('|') + 1).strip();
  }

  private static List<FieldError> problemsOf(String document) {
    InvalidPolicyException thrown =
        catchThrowableOfType(InvalidPolicyException.class, () -> PolicyJson.read(document));
    assertThat(thrown).as(document).isNotNull();
    return thrown.errors();
  }
}
