// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.PolicyLimits;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ServerPolicyLimitsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{\"max_retries\": 0}",
        "{\"max_retries\": 10}",
        "{\"max_retries\": 10, \"initial_delay_secs\": 3600, \"max_delay_secs\": 3600}",
        "{\"max_retries\": 1000, \"backoff\": {\"type\": \"fixed\", \"delay\": \"90d\"}}",
        "{\"max_retries\": null, \"backoff\": {\"type\": \"immediate\"}, \"expires_after\": \"1d\"}",
        "{\"preset\": \"http\"}",
        "{\"strategy\": \"fixed_delay\", \"delaySeconds\": 7776000, \"maxAttempts\": 1000}",
        "[{\"count\": 1000, \"delay_minutes\": 129600}, {\"count\": 0, \"delay_minutes\": 1}]"
      })
  void allows_policies_within_the_limits(String text) {
    JsonNode json = json(text);

    assertThat(PolicyJson.read(json, ServerPolicyLimits.DEFAULT)).isEqualTo(PolicyJson.read(json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"max_retries": 11} | max_retries | must be at most 10 here, not 11
          {"max_retries": 1, "max_delay_secs": 3601} | max_delay_secs | at most 1h
          {"max_retries": 1001, "backoff": {"type": "immediate"}} | max_retries | must be at most 1000 here
          {"backoff": {"type": "fixed", "delay": "91d"}} | backoff.delay | at most 90d
          {"max_retries": null, "backoff": {"type": "immediate"}} | max_retries | expires_after
          {"preset": "queue", "max_retries": null} | max_retries | unlimited retries need
          {"preset": "http", "retry_after": {"cap": "91d"}} | retry_after.cap | at most 90d
          {"strategy": "immediate", "maxAttempts": 1001} | maxAttempts | must be at most 1000 here
          {"strategy": "fixed_delay", "delay_seconds": 7776001} | delay_seconds | at most 90d
          {"strategy": "custom", "custom_schedule": {"attempts": [{"attempt": 2, "delay_days": 91}, \
          {"attempt": 1, "delay_days": 1}]}} | custom_schedule.attempts[0].delay_days | at most 90d
          [{"count": 1, "delay_minutes": 1}, {"count": 1, "delay_minutes": 129601}] \
          | [1].delay_minutes | at most 90d
          [{"count": 500, "delay_minutes": 1}, {"count": 501, "delay_minutes": 1}] \
          | `` | must have at most 1000 retries
          {"backoff": {"type": "immediate"}, "overrides": [{"on": ["*"], "max_retries": 1001}]} \
          | overrides[0].max_retries | must be at most 1000 here
          """)
  void rejects_policies_beyond_the_limits_with_the_paths_of_the_dialect(
      String text, String path, String part) {
    assertThat(errorsOf(text, ServerPolicyLimits.DEFAULT))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.path()).isEqualTo(path);
              assertThat(error.message()).contains(part);
            });
  }

  @Test
  void reports_everything_beyond_the_limits() {
    assertThat(
            errorsOf(
                "{\"max_retries\": 99, \"initial_delay_secs\": 4000, \"max_delay_secs\": 5000}",
                ServerPolicyLimits.DEFAULT))
        .extracting(FieldError::path)
        .containsExactlyInAnyOrder("max_retries", "initial_delay_secs", "max_delay_secs");
  }

  /** Each document is followed by the paths of its errors: some are invalid, some too large. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"max_retries": 99, "initial_delay_secs": 0, "backoff_multiplier": 0.5, \
          "max_delay_secs": 999999, "retry_on": []} \
          | max_retries initial_delay_secs backoff_multiplier max_delay_secs retry_on
          {"max_retries": 99, "max_delay_secs": -1} | max_retries max_delay_secs
          {"max_retries": 1, "initial_delay_secs": 4000, "max_delay_secs": 5000, \
          "backoff_multiplier": 0.5} | initial_delay_secs max_delay_secs backoff_multiplier
          {"max_retries": 1, "initial_delay_secs": 4000} | initial_delay_secs
          {"max_retries": 1001, "jitter": "ful", "backoff": {"type": "fixed", "delay": "91d"}} \
          | max_retries jitter backoff.delay
          {"max_retries": null, "jitter": "ful", "backoff": {"type": "immediate"}} \
          | max_retries jitter
          {"max_retries": null, "expires_after": "2x", "backoff": {"type": "immediate"}} \
          | expires_after
          {"max_retries": null, "backoff": {"type": "laddr", "steps": [{"count": 1, \
          "delay": "1s"}]}} | backoff.type
          {"max_delay": "2x", "backoff": {"type": "exponential", "initial": "80d"}} | max_delay
          {"backoff": {"type": "linear", "initial": 5, "increment": "91d"}} \
          | backoff.initial backoff.increment
          {"backoff": {"type": "schedule", "delays": ["91d", 5, "92d"]}} \
          | backoff.delays[0] backoff.delays[1] backoff.delays[2]
          {"backoff": {"type": "ladder", "steps": [{"count": 2000, "delay": 5}, \
          {"count": "x", "delay": "91d"}]}} \
          | backoff.steps backoff.steps[0].delay backoff.steps[1].count backoff.steps[1].delay
          {"backoff": {"type": "immediate"}, "overrides": [{"on": ["tiemout"], \
          "max_retries": 1001, "backoff": {"type": "fixed", "delay": "91d"}}]} \
          | overrides[0].on[0] overrides[0].max_retries overrides[0].backoff.delay
          {"strategy": "exponential_backoff", "maxAttempts": 1001, "multiplier": 0, \
          "initialDelaySeconds": 7776001} | maxAttempts multiplier initialDelaySeconds
          {"strategy": "custom", "custom_schedule": {"attempts": [{"attempt": 1, "delay_days": 91}, \
          {"delay_days": 92}, 7]}} | custom_schedule.attempts[0].delay_days \
          custom_schedule.attempts[1].attempt custom_schedule.attempts[1].delay_days \
          custom_schedule.attempts[2]
          [{"count": 1, "delay_minutes": 129601}, {"count": 1, "delay_minutes": -1}] \
          | [0].delay_minutes [1].delay_minutes
          """)
  void reports_limits_together_with_invalid_fields(String text, String paths) {
    assertThat(errorsOf(text, ServerPolicyLimits.DEFAULT))
        .extracting(FieldError::path)
        .containsExactlyInAnyOrder(paths.split(" +"));
  }

  @Nested
  class Defaults {

    private final ServerPolicyLimits twentySeconds =
        new ServerPolicyLimits(
            new PolicyLimits(10, Duration.ofSeconds(20)),
            new PolicyLimits(2, Duration.ofSeconds(20)));

    private RetryPolicy read(String text) {
      return PolicyJson.read(json(text), twentySeconds);
    }

    @Test
    void of_the_task_dialect_are_cut_to_the_limit() {
      RetryPolicy policy = read("{\"max_retries\": 4, \"initial_delay_secs\": 5}");

      assertThat(policy.maxDelay()).isEqualTo(Duration.ofSeconds(20));
      ServerPolicyLimits threeSeconds =
          new ServerPolicyLimits(new PolicyLimits(10, Duration.ofSeconds(3)), PolicyLimits.DEFAULT);
      assertThat(PolicyJson.read(json("{\"max_retries\": 4}"), threeSeconds).backoff())
          .isEqualTo(Backoff.exponential(Duration.ofSeconds(3), 2));
    }

    @Test
    void of_presets_are_cut_to_the_limit() {
      assertThat(read("{\"preset\": \"queue\"}").maxDelay()).isEqualTo(Duration.ofSeconds(20));
      assertThat(read("{\"preset\": \"queue\"}").maxRetries()).isEqualTo(RetryLimit.of(2));
      assertThat(read("{\"preset\": \"http\"}").maxDelay()).isEqualTo(Duration.ofSeconds(20));
      assertThat(read("{\"preset\": \"http\"}").retryAfter().cap())
          .isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void of_growing_delays_are_cut_to_the_limit() {
      assertThat(
              read("{\"backoff\": {\"type\": \"exponential\", \"initial\": \"15s\"}}").maxDelay())
          .isEqualTo(Duration.ofSeconds(20));
      assertThat(read("{\"strategy\": \"exponential_backoff\", \"initial_delay_seconds\": 15}"))
          .satisfies(
              policy -> {
                assertThat(policy.maxDelay()).isEqualTo(Duration.ofSeconds(20));
                assertThat(policy.maxRetries()).isEqualTo(RetryLimit.of(2));
              });
      assertThat(read("{\"backoff\": {\"type\": \"exponential\", \"initial\": \"1s\"}}").maxDelay())
          .as("it does not grow that long")
          .isNull();
    }

    @Test
    void never_excuse_a_field_that_is_written() {
      assertThat(errorsOf("{\"max_retries\": 4, \"max_delay_secs\": 300}", twentySeconds))
          .extracting(FieldError::path)
          .containsExactly("max_delay_secs");
      assertThat(errorsOf("{\"preset\": \"queue\", \"max_delay\": \"60s\"}", twentySeconds))
          .extracting(FieldError::path)
          .containsExactly("max_delay");
      assertThat(
              errorsOf("{\"preset\": \"http\", \"retry_after\": {\"cap\": \"1h\"}}", twentySeconds))
          .extracting(FieldError::path)
          .containsExactly("retry_after.cap");
    }

    @Test
    void of_a_preset_are_not_cut_below_its_first_delay() {
      ServerPolicyLimits halfASecond =
          new ServerPolicyLimits(
              PolicyLimits.DEFAULT, new PolicyLimits(10, Duration.ofMillis(500)));

      assertThat(errorsOf("{\"preset\": \"queue\"}", halfASecond))
          .allMatch(error -> error.message().endsWith("comes from the preset: set your own)"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"backoff": {"type": "immediate"}, "expires_at": "%s"} | expires_at
          {"strategy": "immediate", "expires_at": "%s"} | expires_at
          {"strategy": "immediate", "expiresAt": "%s"} | expiresAt
          """)
  void refuses_an_expiry_in_the_past(String text, String path) {
    Instant now = Instant.parse("2026-03-01T12:00:00Z");
    ServerPolicyLimits limits = ServerPolicyLimits.DEFAULT.withEarliestExpiry(now);

    assertThat(PolicyJson.read(json(text.formatted(now)), limits)).isNotNull();
    assertThat(errorsOf(text.formatted("2026-03-01T12:59:59+01:00"), limits))
        .containsExactly(
            new FieldError(path, "2026-03-01T11:59:59.000Z is in the past: choose a later time"));
  }

  @Test
  void uses_the_limits_of_the_operator() {
    ServerPolicyLimits limits =
        new ServerPolicyLimits(
            new PolicyLimits(2, Duration.ofMinutes(5)), new PolicyLimits(1, Duration.ofSeconds(1)));

    assertThat(PolicyJson.read(json("{\"max_retries\": 2}"), limits)).isNotNull();
    assertThat(errorsOf("{\"max_retries\": 3}", limits)).hasSize(1);
    assertThat(errorsOf("{\"strategy\": \"immediate\", \"max_attempts\": 2}", limits)).hasSize(1);
  }

  private static List<FieldError> errorsOf(String text, ServerPolicyLimits limits) {
    InvalidPolicyException thrown =
        catchThrowableOfType(
            InvalidPolicyException.class, () -> PolicyJson.read(json(text), limits));
    assertThat(thrown).as(text).isNotNull();
    return thrown.errors();
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}
