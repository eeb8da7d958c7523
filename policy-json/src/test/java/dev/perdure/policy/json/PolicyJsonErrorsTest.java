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
 * Reads the invalid documents of {@code errors.txt}. Each is followed by all expected errors: the
 * path and a part of the message.
 */
class PolicyJsonErrorsTest {

  @ParameterizedTest
  @MethodSource("documents")
  void reports_every_error_and_no_other(String document, List<String> expected) {
    List<FieldError> errors = errorsOf(document);

    assertThat(errors)
        .as("%s%n%s", document, errors)
        .extracting(FieldError::path)
        .containsExactlyInAnyOrderElementsOf(
            expected.stream().map(PolicyJsonErrorsTest::path).toList());
    for (String line : expected) {
      assertThat(errors)
          .as("%s: %s", document, line)
          .anyMatch(
              error -> error.path().equals(path(line)) && error.message().contains(part(line)));
    }
  }

  @Test
  void rejects_an_empty_text() {
    assertThat(errorsOf(""))
        .extracting(FieldError::message)
        .containsExactly("is empty; null means no policy");
    assertThat(errorsOf(" \n")).hasSize(1);
  }

  @Test
  void rejects_more_than_fifty_entries() {
    String delays = "\"1s\",".repeat(50) + "\"1s\"";
    String steps = "{\"count\": 1, \"delay_minutes\": 1},".repeat(50) + "{}";

    assertThat(
            errorsOf("{\"backoff\": {\"type\": \"schedule\", \"delays\": [%s]}}".formatted(delays)))
        .containsExactly(
            new FieldError("backoff.delays", "has 51 entries, at most 50 are allowed"));
    assertThat(errorsOf("[" + steps + "]"))
        .containsExactly(new FieldError("", "has 51 entries, at most 50 are allowed"));
  }

  @Test
  void quotes_only_the_start_of_long_input() {
    String longText = "x".repeat(5_000);
    List<FieldError> errors =
        errorsOf(
            """
            {"backoff": {"type": "%s"}, "jitter": "%s", "max_delay": "%s", "expires_at": "%s",
             "retry_on": ["%s", "code: %s"], "%s": 1}"""
                .formatted(longText, longText, longText, longText, longText, longText, longText));

    assertThat(errors).hasSize(7);
    assertThat(errors)
        .allSatisfy(
            error -> {
              assertThat(error.path()).hasSizeLessThan(100);
              assertThat(error.message()).doesNotContain("x".repeat(61));
            });
  }

  @Test
  void stops_at_a_hundred_errors() {
    String matchers = "1,".repeat(99) + "1";
    List<FieldError> errors =
        errorsOf(
            "{\"backoff\": {}, \"retry_on\": [%s], \"never_on\": [%s]}"
                .formatted(matchers, matchers));

    assertThat(errors).hasSize(101);
    assertThat(errors.getLast().message()).contains("more than 100 errors");
  }

  static Stream<Arguments> documents() throws Exception {
    try (InputStream file = PolicyJsonErrorsTest.class.getResourceAsStream("/errors.txt")) {
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

  private static List<FieldError> errorsOf(String document) {
    InvalidPolicyException thrown =
        catchThrowableOfType(InvalidPolicyException.class, () -> PolicyJson.read(document));
    assertThat(thrown).as(document).isNotNull();
    return thrown.errors();
  }
}
