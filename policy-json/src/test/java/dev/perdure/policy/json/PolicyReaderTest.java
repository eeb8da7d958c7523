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
  void decides_as_the_dialect_says_and_as_its_canonical_form_does() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomDialects.Document document = RandomDialects.of(seed);
      RetryPolicy policy = PolicyJson.read(document.text());
      RetryPolicy canonical = PolicyJson.read(PolicyJson.write(policy));
      for (long attempt : new long[] {0, 1, 2, 3, 4, 5, 6, 7, 12, 29, 60, 99, 100, 1_000}) {
        String place = "seed %d, attempt %d: %s".formatted(seed, attempt, document.text());
        assertAsSaid(place, document.formula().apply(attempt), policy, attempt);
        assertSame(place, policy, canonical, attempt);
      }
    }
  }

  private static void assertAsSaid(
      String place, RandomDialects.Bounds expected, RetryPolicy policy, long attempt) {
    DecisionPreview decisionPreview =
        policy.preview(DecisionContext.attempt(attempt), Failure.explicit("no_slots"));
    if (expected == null) {
      assertThat(decisionPreview).as(place).isEqualTo(new Decision.GiveUp(GiveUpReason.EXHAUSTED));
      return;
    }
    DecisionPreview.DelayBounds delayBounds = (DecisionPreview.DelayBounds) decisionPreview;
    assertNear(place, delayBounds.earliest(), expected.earliest());
    assertNear(place, delayBounds.latest(), expected.latest());
  }

  private static void assertNear(String place, Duration found, BigDecimal expected) {
    assertThat(BigDecimal.valueOf(found.toMillis()).subtract(expected).abs())
        .as("%s: %s, not %s ms", place, found, expected)
        .isLessThanOrEqualTo(BigDecimal.ONE);
  }

  private static void assertSame(
      String place, RetryPolicy policy, RetryPolicy canonical, long attempt) {
    for (Failure failure : FAILURES) {
      for (Duration age : List.of(Duration.ZERO, Duration.ofHours(3), Duration.ofDays(400))) {
        DecisionContext decisionContext = DecisionContext.attempt(attempt).withAge(age);
        assertThat(canonical.preview(decisionContext, failure))
            .as(place)
            .isEqualTo(policy.preview(decisionContext, failure));
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
  void honours_a_server_up_to_a_day_in_every_form(String text) {
    RetryPolicy policy = PolicyJson.read(text);

    for (int hours : new int[] {1, 24, 48}) {
      Duration asked = Duration.ofHours(hours);
      Duration granted = Duration.ofHours(Math.min(24, hours));
      assertThat(
              policy.preview(DecisionContext.attempt(0), Failure.http(503).withRetryAfter(asked)))
          .isEqualTo(new DecisionPreview.DelayBounds(granted, granted, granted));
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
    void are_none(String text) {
      assertThat(PolicyJson.read(text)).isSameAs(RetryPolicy.none());
      assertThat(PolicyJson.read(JsonMapper.shared().readTree(text))).isSameAs(RetryPolicy.none());
    }

    @Test
    void are_what_is_missing() {
      JsonNode missing = MissingNode.getInstance();

      assertThat(PolicyJson.read(missing)).isSameAs(RetryPolicy.none());
    }

    @Test
    void are_not_none_when_an_override_retries() {
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
    void give_way_to_the_fields_beside_them() {
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
    void take_bare_class_names_as_exceptions() {
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
    void may_mix_both_cases_and_idle_fields() {
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
    void take_instants_with_any_offset(String instant) {
      RetryPolicy policy =
          PolicyJson.read(
              "{\"strategy\": \"immediate\", \"expires_at\": \"%s\"}".formatted(instant));

      assertThat(policy.expiry()).isEqualTo(Expiry.at(Instant.parse("2026-01-31T12:00:00Z")));
    }
  }
}
