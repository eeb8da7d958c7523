// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.PolicyLimits;
import java.time.Duration;
import java.util.List;
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
          {"backoff": {"type": "exponential", "initial": "80d"}} | backoff | set max_delay to at
          {"strategy": "immediate", "maxAttempts": 1001} | maxAttempts | must be at most 1000 here
          {"strategy": "fixed_delay", "delay_seconds": 7776001} | delay_seconds | at most 90d
          {"strategy": "exponential_backoff", "initialDelaySeconds": 60, "maxAttempts": 900} \
          | maxDelaySeconds | set maxDelaySeconds to at most 90d
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

  @Test
  void reports_invalid_fields_before_limits() {
    assertThat(
            errorsOf("{\"max_retries\": 99, \"max_delay_secs\": -1}", ServerPolicyLimits.DEFAULT))
        .extracting(FieldError::path)
        .containsExactly("max_delay_secs");
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
