// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DecisionPreview;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryAfter;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.io.FileNotFoundException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

class PolicyReaderTest {

  private static final int SEEDS = 3_500;
  private static final List<Failure> FAILURES =
      List.of(
          Failure.explicit("no_slots"),
          Failure.timeout(),
          Failure.http(503),
          Failure.http(404),
          Failure.http(429).withRetryAfter(Duration.ofSeconds(70)),
          Failure.exception(new FileNotFoundException()),
          Failure.timeout().withPermanent(true));

  @Test
  void every_dialect_decides_by_its_formula_and_like_its_canonical_form() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomDialects.Document document = RandomDialects.of(seed);
      RetryPolicy policy = PolicyJson.read(document.text());
      RetryPolicy canonical = PolicyJson.read(PolicyJson.write(policy));
      for (long attempt : new long[] {0, 1, 2, 3, 4, 5, 6, 7, 12, 29, 60, 99, 100, 1_000}) {
        String description = "seed %d, attempt %d: %s".formatted(seed, attempt, document.text());
        assertFormula(description, document.formula().apply(attempt), policy, attempt);
        assertSame(description, policy, canonical, attempt);
      }
    }
  }

  private static void assertFormula(
      String description, RandomDialects.Bounds expected, RetryPolicy policy, long attempt) {
    DecisionPreview preview =
        policy.preview(DecisionContext.attempt(attempt), Failure.explicit("no_slots"));
    if (expected == null) {
      assertThat(preview).as(description).isEqualTo(new Decision.GiveUp(GiveUpReason.EXHAUSTED));
      return;
    }
    DecisionPreview.DelayBounds bounds = (DecisionPreview.DelayBounds) preview;
    assertNear(description, bounds.earliest(), expected.earliest());
    assertNear(description, bounds.latest(), expected.latest());
  }

  private static void assertNear(String description, Duration found, BigDecimal expected) {
    assertThat(BigDecimal.valueOf(found.toMillis()).subtract(expected).abs())
        .as("%s: %s, not %s ms", description, found, expected)
        .isLessThanOrEqualTo(BigDecimal.ONE);
  }

  private static void assertSame(
      String description, RetryPolicy policy, RetryPolicy canonical, long attempt) {
    for (Failure failure : FAILURES) {
      for (Duration age : List.of(Duration.ZERO, Duration.ofHours(3), Duration.ofDays(400))) {
        DecisionContext context = DecisionContext.attempt(attempt).withAge(age);
        assertThat(canonical.preview(context, failure))
            .as(description)
            .isEqualTo(policy.preview(context, failure));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"max_retries\": 3}",
        "[{\"count\": 3, \"delay_minutes\": 1}]",
        "{\"strategy\": \"immediate\"}",
        "{\"backoff\": {\"type\": \"immediate\"}}",
        "{\"preset\": \"queue\"}"
      })
  void honours_retry_after_up_to_a_day_in_every_dialect(String text) {
    RetryPolicy policy = PolicyJson.read(text);

    for (int hours : new int[] {1, 24, 48}) {
      Duration requested = Duration.ofHours(hours);
      Duration expected = Duration.ofHours(Math.min(24, hours));
      assertThat(
              policy.preview(
                  DecisionContext.attempt(0), Failure.http(503).withRetryAfter(requested)))
          .isEqualTo(new DecisionPreview.DelayBounds(expected, expected, expected));
    }
  }

  @Nested
  class NoRetries {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "null",
          " null\n",
          "{\"max_retries\": 0}",
          "{\"max_retries\": 0.0}",
          "{\"enabled\": false}",
          "{\"enabled\": false, \"strategy\": \"fixed_delay\", \"delaySeconds\": 5}",
          "{\"retry_strategy\": \"immediate\", \"max_attempts\": 0}",
          "{\"preset\": \"queue\", \"max_retries\": 0}",
          "{\"preset\": \"http\", \"max_retries\": 0, \"jitter\": \"none\"}"
        })
    void are_the_policy_none(String text) {
      assertThat(PolicyJson.read(text)).isSameAs(RetryPolicy.none());
      assertThat(PolicyJson.read(JsonMapper.shared().readTree(text))).isSameAs(RetryPolicy.none());
    }

    @Test
    void are_the_result_of_a_missing_value() {
      JsonNode missing = MissingNode.getInstance();

      assertThat(PolicyJson.read(missing)).isSameAs(RetryPolicy.none());
    }

    @Test
    void are_not_the_policy_none_if_an_override_retries() {
      RetryPolicy policy =
          PolicyJson.read(
              """
              {"preset": "queue", "max_retries": 0,
               "overrides": [{"on": ["503"], "max_retries": 2}]}""");

      assertThat(policy.preview(DecisionContext.attempt(1), Failure.http(503)))
          .isInstanceOf(DecisionPreview.DelayBounds.class);
      assertThat(policy.preview(DecisionContext.attempt(0), Failure.http(500)))
          .isEqualTo(new Decision.GiveUp(GiveUpReason.EXHAUSTED));
    }
  }

  @Nested
  class Presets {

    @Test
    void are_the_policies_of_the_same_name() {
      assertThat(PolicyJson.read("{\"preset\": \"http\"}")).isEqualTo(RetryPolicy.http());
      assertThat(PolicyJson.read("{\"preset\": \"queue\"}")).isEqualTo(RetryPolicy.queue());
      assertThat(PolicyJson.read("{\"preset\": \"transient\"}"))
          .isEqualTo(RetryPolicy.transientErrors());
      assertThat(PolicyJson.read("{\"preset\": \"queue\", \"max_retries\": null}"))
          .isEqualTo(RetryPolicy.queueUnlimited());
    }

    @Test
    void can_be_changed_by_other_fields() {
      RetryPolicy policy =
          PolicyJson.read(
              """
              {"max_delay": "30s", "preset": "http", "jitter": "full", "retry_on": ["timeout"],
               "never_on": [], "expires_after": "1h", "retry_after": {"honor": false},
               "overrides": [], "backoff": {"type": "fixed", "delay": "7s"}}""");

      assertThat(policy)
          .isEqualTo(
              new RetryPolicy(
                  RetryLimit.of(4),
                  Backoff.fixed(Duration.ofSeconds(7)),
                  Jitter.full(),
                  Duration.ofSeconds(30),
                  Expiry.after(Duration.ofHours(1)),
                  List.of(FailureMatcher.timeout()),
                  List.of(),
                  RetryAfter.ignored(),
                  List.of()));
    }
  }

  @Nested
  class Strategies {

    @Test
    void accept_class_names_as_exception_matchers() {
      RetryPolicy policy =
          PolicyJson.read(
              """
              {"strategy": "immediate", "retryOn": ["IOException", "5XX", "Exception"],
               "ignore_exceptions": ["java.io.FileNotFoundException", "a.B$C", "timeout"]}""");

      assertThat(policy.retryOn())
          .extracting(FailureMatcher::text)
          .containsExactly("exception:IOException", "5xx", "exception:Exception");
      assertThat(policy.neverOn())
          .extracting(FailureMatcher::text)
          .containsExactly("exception:java.io.FileNotFoundException", "exception:a.B$C", "timeout");
    }

    @Test
    void accept_both_cases_and_fields_without_effect() {
      RetryPolicy policy =
          PolicyJson.read(
              """
              {"retryStrategy": "fixed_delay", "delay_seconds": 0.25, "maxAttempts": 7,
               "initial_delay_seconds": 0, "multiplier": 2, "max_delay_seconds": null,
               "customSchedule": null, "enabled": null, "retry_on": null,
               "expiresAt": "2026-01-31T13:00:00+01:00"}""");

      assertThat(policy.backoff()).isEqualTo(Backoff.fixed(Duration.ofMillis(250)));
      assertThat(policy.maxRetries()).isEqualTo(RetryLimit.of(7));
      assertThat(policy.expiry()).isEqualTo(Expiry.at(Instant.parse("2026-01-31T12:00:00Z")));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "2026-01-31T12:00:00Z",
          "2026-01-31T12:00Z",
          "2026-01-31T12:00:00.000Z",
          "2026-01-31T17:30:00+05:30",
          "2026-01-31T17:30+05:30"
        })
    void accept_instants_with_any_offset(String instant) {
      RetryPolicy policy =
          PolicyJson.read(
              "{\"strategy\": \"immediate\", \"expires_at\": \"%s\"}".formatted(instant));

      assertThat(policy.expiry()).isEqualTo(Expiry.at(Instant.parse("2026-01-31T12:00:00Z")));
    }
  }
}
