// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.explain.Linter;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenPolicyTest {

  private static final Linter.LintContext POST =
      new Linter.LintContext(
          1_000, "POST", false, Duration.ofHours(24), 2, 6, Instant.parse("2026-03-01T12:00:00Z"));

  /** The field that a fix sets, and what the fix says about its form. */
  private static final Pattern SET_FIELD = Pattern.compile("\"(\\w+)\": [^;]*(;.*)?");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"max_retries\": 9}",
        "{\"strategy\": \"immediate\", \"max_attempts\": 9, \"retry_on\": [\"5xx\"]}",
        "{\"retryStrategy\": \"fixed_delay\", \"delaySeconds\": 9, \"maxAttempts\": 9, \"retryOn\": [\"5xx\"]}",
        "[{\"count\": 9, \"delay_minutes\": 1}, {\"count\": 0, \"delay_minutes\": 1}]"
      })
  void names_only_fields_of_its_dialect_or_asks_for_the_canonical_form(String text) {
    WrittenPolicy policy = WrittenPolicy.read(text);

    LintReport report = policy.lint(POST);

    assertThat(report.warnings()).hasSizeGreaterThan(2);
    for (Linter.Warning warning : report.warnings()) {
      Matcher fix = SET_FIELD.matcher(warning.fix());
      assertThat(fix.find()).as(warning.fix()).isTrue();
      boolean ofDialect = text.contains(fix.group(1)) || fix.group(1).equals("retry_on");
      assertThat(warning.fix().endsWith("write the policy in the canonical form"))
          .as(warning.fix())
          .isEqualTo(!ofDialect || text.startsWith("["));
    }
    assertThat(PolicyJson.read(Objects.requireNonNull(report.canonical())))
        .isEqualTo(policy.policy());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"max_retries": 9} | no-jitter `` amplification max_retries
          {"strategy": "immediate", "maxAttempts": 9} \
          | immediate-retries strategy amplification maxAttempts
          {"strategy": "fixed_delay", "delay_seconds": 9, "retry_on": ["429"], \
          "ignore_exceptions": ["429"]} | never-matches retry_on[0]
          {"strategy": "fixed_delay", "delay_seconds": 9, "expiresAt": "2026-03-01T12:00:00Z"} \
          | expired expiresAt
          [{"count": 0, "delay_minutes": 1}] \
          | unlimited-without-expiry `` post-without-idempotency-key ``
          """)
  void warns_about_fields_as_they_are_written(String text, String expected) {
    String found =
        WrittenPolicy.read(text).lint(POST).warnings().stream()
            .map(warning -> warning.id() + " " + (warning.path().isEmpty() ? "``" : warning.path()))
            .collect(Collectors.joining(" "));

    for (String pair : expected.replaceAll("(\\S+ \\S+) ?", "$1\n").lines().toList()) {
      assertThat(found).contains(pair);
    }
  }

  @Test
  void says_how_to_limit_the_retries_in_the_words_of_the_dialect() {
    assertThat(fix("{\"strategy\": \"immediate\", \"maxAttempts\": 9}", "amplification"))
        .contains("set \"maxAttempts\": 1,");
    assertThat(fix("{\"max_retries\": 9}", "no-jitter"))
        .isEqualTo(
            "set \"jitter\": {\"type\": \"spread\", \"factor\": 0.25}; the task dialect has no"
                + " 'jitter': write the policy in the canonical form");
    assertThat(
            fix(
                """
                {"strategy": "immediate", "retryOn": ["429"], "ignoreExceptions": ["429"]}""",
                "never-matches"))
        .isEqualTo("remove it, or remove the failures from ignoreExceptions");
  }

  private static String fix(String text, String id) {
    return WrittenPolicy.read(text).lint(POST).warnings().stream()
        .filter(warning -> warning.id().equals(id))
        .map(Linter.Warning::fix)
        .collect(Collectors.joining());
  }

  @Test
  void leaves_the_advice_for_the_canonical_form_as_it_is() {
    String text =
        """
        {"max_retries": 9, "backoff": {"type": "fixed", "delay": "1s"}, "jitter": "none"}""";

    LintReport report = WrittenPolicy.read(text).lint(POST);

    assertThat(report.warnings()).isEqualTo(Linter.lint(PolicyJson.read(text), POST));
    assertThat(report.canonical()).isNull();
  }
}
