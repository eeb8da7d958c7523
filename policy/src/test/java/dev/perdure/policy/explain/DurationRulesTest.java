// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import static dev.perdure.policy.Backoff.forever;
import static dev.perdure.policy.Backoff.step;
import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.explain.LintContextBuilder.context;
import static dev.perdure.policy.explain.LintContextBuilder.ids;
import static dev.perdure.policy.explain.LintContextBuilder.warningOf;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.RetryPolicyBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DurationRulesTest {

  private static final Linter.LintContext DEFAULT = Linter.LintContext.DEFAULT;
  private static final PolicyOverride ON_429 = PolicyOverride.on(status(429));

  @Nested
  class UnlimitedWithoutExpiry {

    @Test
    void warns_about_endless_retries() {
      RetryPolicy policy = RetryPolicy.fixed(ofHours(1)).unlimitedRetries().build();

      Linter.Warning warning = warningOf("unlimited-without-expiry", policy, DEFAULT);
      assertThat(warning.path()).isEqualTo("max_retries");
      assertThat(warning.fix())
          .isEqualTo("set an expiry such as \"expires_after\": \"14d\", or a number of retries");
    }

    @Test
    void warns_about_an_endless_ladder() {
      RetryPolicy policy = RetryPolicy.ladder(forever(ofHours(1))).build();

      Linter.Warning warning = warningOf("unlimited-without-expiry", policy, DEFAULT);
      assertThat(warning.path()).isEqualTo("backoff.steps");
      assertThat(warning.fix()).endsWith("or give the last step a count");
    }

    @Test
    void accepts_retries_that_end() {
      assertThat(ids(RetryPolicy.ladder(step(2, ofHours(1))).build(), DEFAULT)).isEmpty();
      assertThat(ids(RetryPolicy.ladder(forever(ofHours(1))).maxRetries(5).build(), DEFAULT))
          .isEmpty();
      assertThat(
              ids(
                  RetryPolicy.fixed(ofHours(1)).unlimitedRetries().expiresAfter(ofHours(5)).build(),
                  DEFAULT))
          .isEmpty();
    }

    @Test
    void warns_about_an_endless_override() {
      RetryPolicy policy =
          RetryPolicy.fixed(ofHours(1)).override(ON_429.withUnlimitedRetries()).build();

      assertThat(ids(policy, DEFAULT)).containsExactly("unlimited-without-expiry", "amplification");
      assertThat(warningOf("unlimited-without-expiry", policy, DEFAULT).path())
          .isEqualTo("overrides[0].max_retries");
    }
  }

  @Nested
  class ScheduleLongerThanExpiry {

    private final RetryPolicy policy =
        RetryPolicy.fixed(ofMinutes(10)).maxRetries(5).expiresAfter(ofMinutes(49)).build();

    @Test
    void reports_how_many_retries_can_happen() {
      assertThat(Linter.lint(policy, DEFAULT))
          .containsExactly(
              new Linter.Warning(
                  "schedule-longer-than-expiry",
                  "expires_after",
                  "without jitter, only 4 of 5 retries fit into expires_after 49m",
                  "set expires_after to more than 49m, or fewer retries, such as \"max_retries\": 4"));
    }

    @Test
    void accepts_a_last_retry_that_just_fits() {
      RetryPolicy fits =
          RetryPolicy.fixed(ofMinutes(10)).maxRetries(5).expiresAfter(ofMinutes(50)).build();

      assertThat(ids(fits, DEFAULT)).isEmpty();
    }

    @Test
    void counts_the_steps_of_a_ladder_up_to_the_limit() {
      RetryPolicy ladder =
          RetryPolicy.ladder(step(2, ofMinutes(10)), step(1, ofHours(2)))
              .expiresAfter(ofHours(1))
              .build();
      RetryPolicy limited =
          RetryPolicy.ladder(step(1, ofMinutes(10)), step(4, ofHours(2)))
              .maxRetries(2)
              .expiresAfter(ofHours(1))
              .build();

      assertThat(warningOf("schedule-longer-than-expiry", ladder, DEFAULT).message())
          .startsWith("without jitter, only 2 of 3 retries");
      assertThat(warningOf("schedule-longer-than-expiry", limited, DEFAULT).message())
          .startsWith("without jitter, only 1 of 2 retries");
    }

    @Test
    void counts_up_to_the_limit_on_an_endless_ladder() {
      RetryPolicy ladder =
          RetryPolicy.ladder(forever(ofMinutes(10)))
              .maxRetries(3)
              .expiresAfter(ofMinutes(25))
              .build();

      assertThat(warningOf("schedule-longer-than-expiry", ladder, DEFAULT).message())
          .startsWith("without jitter, only 2 of 3 retries");
    }

    @Test
    void accepts_an_expiry_as_the_only_limit() {
      RetryPolicy unlimited =
          RetryPolicy.fixed(ofMinutes(10)).unlimitedRetries().expiresAfter(ofMinutes(49)).build();

      assertThat(ids(unlimited, DEFAULT)).isEmpty();
    }

    @Test
    void warns_about_an_override_that_is_too_long() {
      RetryPolicy overriding =
          RetryPolicy.fixed(ofMinutes(1))
              .expiresAfter(ofMinutes(50))
              .override(ON_429.withBackoff(Backoff.fixed(ofMinutes(20))))
              .build();

      assertThat(warningOf("schedule-longer-than-expiry", overriding, DEFAULT).path())
          .isEqualTo("overrides[0]");
    }

    @Test
    void ignores_expires_at() {
      RetryPolicy instant =
          RetryPolicy.fixed(ofMinutes(10))
              .maxRetries(5)
              .expiresAt(Instant.EPOCH.plusSeconds(60))
              .build();

      assertThat(ids(instant, DEFAULT)).isEmpty();
    }
  }

  @Nested
  class OutlivesIdempotencyKey {

    private final RetryPolicy policy =
        RetryPolicy.fixed(ofHours(10)).jitter(Jitter.add(0.2)).maxRetries(2).build();

    @Test
    void compares_the_latest_end_with_the_lifetime_of_the_key() {
      assertThat(Linter.lint(policy, context().key(ofHours(24).minusMillis(1)).build()))
          .containsExactly(
              new Linter.Warning(
                  "outlives-idempotency-key",
                  "backoff",
                  "the last retry may start 1d after the first attempt, but the server forgets the"
                      + " idempotency key after 86399999ms: the work may be done twice",
                  "set \"expires_after\": \"86399999ms\" or less, or fewer retries"));
      assertThat(ids(policy, context().key(ofHours(24)).build())).isEmpty();
    }

    @Test
    void accepts_requests_without_a_key() {
      assertThat(ids(RetryPolicy.fixed(ofDays(10)).build(), DEFAULT)).isEmpty();
    }

    @Test
    void warns_about_endless_retries() {
      RetryPolicy endless = RetryPolicy.immediate().unlimitedRetries().build();

      assertThat(
              warningOf("outlives-idempotency-key", endless, context().key(ofDays(1)).build())
                  .message())
          .startsWith("the retries never end, but the server forgets");
    }

    @Test
    void uses_the_expiry_as_the_end_of_unlimited_retries() {
      RetryPolicy week =
          RetryPolicy.fixed(ofSeconds(1)).unlimitedRetries().expiresAfter(ofDays(7)).build();

      assertThat(
              warningOf("outlives-idempotency-key", week, context().key(ofDays(6)).build())
                  .message())
          .startsWith("the last retry may start 7d after");
      assertThat(ids(week, context().key(ofDays(7)).build()))
          .doesNotContain("outlives-idempotency-key");
    }

    @Test
    void does_not_use_the_expiry_as_the_end_of_a_short_policy() {
      RetryPolicy brief = RetryPolicy.fixed(ofSeconds(1)).expiresAfter(ofDays(7)).build();

      assertThat(ids(brief, context().key(ofDays(1)).build())).isEmpty();
    }
  }

  @Nested
  class Expired {

    private final Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final RetryPolicyBuilder.Plain fixed = RetryPolicy.fixed(ofSeconds(1));

    @Test
    void warns_about_an_instant_in_the_past() {
      RetryPolicy policy = fixed.expiresAt(now).override(ON_429).build();

      Linter.Warning warning = warningOf("expired", policy, context().now(now).build());
      assertThat(warning.path()).isEqualTo("expires_at");
      assertThat(warning.message())
          .isEqualTo("2026-03-01T12:00:00.000Z is in the past: nothing is retried");
    }

    @Test
    void accepts_an_instant_in_the_future_and_does_not_guess_the_time() {
      assertThat(ids(fixed.expiresAt(now.plusMillis(1)).build(), context().now(now).build()))
          .isEmpty();
      assertThat(ids(fixed.expiresAfter(ofDays(1)).build(), context().now(now).build())).isEmpty();
      assertThat(ids(fixed.expiresAt(now).build(), DEFAULT)).isEmpty();
    }
  }
}
