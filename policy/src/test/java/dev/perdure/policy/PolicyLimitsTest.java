// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.FailureMatcher.status;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PolicyLimitsTest {

  private static final Duration LONGEST = ofDays(90);
  private static final Duration LONGER = ofDays(90).plusMillis(1);

  private static void allows(RetryPolicy policy) {
    assertThat(PolicyLimits.DEFAULT.check(policy)).isEmpty();
  }

  private static void refuses(RetryPolicy policy, String... paths) {
    assertThat(PolicyErrorAssertions.paths(PolicyLimits.DEFAULT.check(policy)))
        .containsExactly(paths);
  }

  @Test
  void allow_1000_retries_and_90_days_by_default() {
    assertThat(PolicyLimits.DEFAULT).isEqualTo(new PolicyLimits(1_000, ofDays(90)));
  }

  @Test
  void allow_the_policy_that_never_retries_and_the_presets() {
    allows(RetryPolicy.none());
    allows(RetryPolicy.http());
    allows(RetryPolicy.queue());
    allows(RetryPolicy.transientErrors());
  }

  @Nested
  class OnRetries {

    private final RetryPolicyBuilder.Plain fixed = RetryPolicy.fixed(ofSeconds(1));

    @Test
    void allow_the_maximum_and_reject_one_more() {
      allows(fixed.maxRetries(1_000).build());
      refuses(fixed.maxRetries(1_001).build(), "max_retries");
      assertThat(PolicyLimits.DEFAULT.check(fixed.maxRetries(1_001).build()))
          .extracting(FieldError::message)
          .containsExactly("must be at most 1000 here, not 1001");
    }

    @Test
    void require_an_expiry_or_a_ladder_for_unlimited_retries() {
      refuses(fixed.unlimitedRetries().build(), "max_retries");
      refuses(RetryPolicy.schedule(ofSeconds(1)).unlimitedRetries().build(), "max_retries");
      refuses(RetryPolicy.queueUnlimited(), "max_retries");
      allows(fixed.unlimitedRetries().expiresAfter(ofDays(1)).build());
      allows(fixed.unlimitedRetries().expiresAt(Instant.EPOCH).build());
    }

    @Test
    void count_the_steps_of_a_ladder() {
      allows(RetryPolicy.ladder(Backoff.forever(ofDays(1))).build());
      allows(RetryPolicy.ladder(Backoff.step(1_000, ofSeconds(1))).build());
      refuses(
          RetryPolicy.ladder(Backoff.step(600, ofSeconds(1)), Backoff.step(401, ofSeconds(2)))
              .build(),
          "backoff.steps");
      refuses(
          RetryPolicy.ladder(
                  Backoff.step(Integer.MAX_VALUE, ofSeconds(1)),
                  Backoff.step(Integer.MAX_VALUE, ofSeconds(1)))
              .build(),
          "backoff.steps");
    }
  }

  @Nested
  class OnDelays {

    @Test
    void apply_to_every_delay_of_the_policy() {
      allows(RetryPolicy.immediate().build());
      allows(RetryPolicy.fixed(LONGEST).build());
      refuses(RetryPolicy.fixed(LONGER).build(), "backoff.delay");
      allows(RetryPolicy.schedule(ofDays(1), LONGEST).build());
      refuses(
          RetryPolicy.schedule(LONGER, ofDays(1), LONGER).build(),
          "backoff.delays[0]",
          "backoff.delays[2]");
      allows(RetryPolicy.ladder(Backoff.step(1, LONGEST)).build());
      refuses(
          RetryPolicy.ladder(Backoff.step(1, ofDays(1)), Backoff.step(1, LONGER)).build(),
          "backoff.steps[1].delay");
      allows(RetryPolicy.exponential(ofDays(30)).maxRetries(2).build());
      refuses(
          RetryPolicy.exponential(LONGER).maxDelay(ofDays(91)).build(),
          "max_delay",
          "backoff.initial");
      refuses(
          RetryPolicy.linear(LONGER).increment(LONGER).maxDelay(ofDays(91)).build(),
          "max_delay",
          "backoff.initial",
          "backoff.increment");
      allows(RetryPolicy.linear(ofDays(1)).increment(LONGEST).maxDelay(LONGEST).build());
    }

    @Test
    void apply_to_max_delay() {
      allows(RetryPolicy.exponential(ofSeconds(1)).maxDelay(LONGEST).maxRetries(1_000).build());
      refuses(RetryPolicy.exponential(ofSeconds(1)).maxDelay(LONGER).build(), "max_delay");
    }

    @Test
    void name_the_maximum() {
      assertThat(PolicyLimits.DEFAULT.check(RetryPolicy.fixed(LONGER).build()))
          .extracting(FieldError::message)
          .containsExactly("must be at most 90d here");
    }

    @Test
    void apply_to_the_longest_delay_of_a_growing_backoff_without_max_delay() {
      allows(RetryPolicy.linear(ofDays(30)).maxRetries(3).build());
      refuses(RetryPolicy.linear(ofDays(30)).maxRetries(4).build(), "backoff");
      allows(RetryPolicy.exponential(ofDays(45)).maxRetries(2).build());
      refuses(RetryPolicy.exponential(ofDays(45)).maxRetries(3).build(), "backoff");
      refuses(
          RetryPolicy.exponential(ofMillis(1)).unlimitedRetries().expiresAfter(ofDays(1)).build(),
          "backoff");
      assertThat(
              PolicyLimits.DEFAULT.check(RetryPolicy.exponential(ofDays(45)).maxRetries(3).build()))
          .extracting(FieldError::message)
          .containsExactly("delays grow to 180d: set max_delay to at most 90d");
    }

    @Test
    void apply_to_decorrelated_delays_that_triple() {
      RetryPolicyBuilder.Linear slow =
          RetryPolicy.linear(ofDays(1)).increment(ofMillis(1)).jitter(Jitter.decorrelated());

      allows(slow.maxRetries(4).build());
      refuses(slow.maxRetries(5).build(), "backoff");
      allows(slow.maxDelay(LONGEST).build());
    }

    @Test
    void ignore_growth_when_there_are_no_retries() {
      RetryPolicyBuilder.Linear decorrelated =
          RetryPolicy.linear(LONGEST).jitter(Jitter.decorrelated());

      allows(RetryPolicy.exponential(LONGEST).maxRetries(1).build());
      allows(decorrelated.maxRetries(0).build());
      refuses(decorrelated.maxRetries(1).build(), "backoff");
    }
  }

  @Nested
  class OnRetryAfter {

    private final PolicyLimits anHour = new PolicyLimits(10, ofHours(1));
    private final RetryPolicyBuilder.Plain fixed = RetryPolicy.fixed(ofSeconds(1));

    @Test
    void apply_to_an_explicit_cap() {
      assertThat(anHour.check(fixed.retryAfterCap(ofHours(1)).build())).isEmpty();
      assertThat(PolicyErrorAssertions.paths(anHour.check(fixed.retryAfterCap(ofHours(2)).build())))
          .containsExactly("retry_after.cap");
    }

    @Test
    void do_not_apply_to_the_default_cap() {
      assertThat(anHour.check(fixed.build())).isEmpty();
    }

    @Test
    void do_not_apply_when_retry_after_is_ignored() {
      assertThat(anHour.check(fixed.ignoreRetryAfter().build())).isEmpty();
    }
  }

  @Nested
  class OnOverrides {

    private final PolicyOverride on = PolicyOverride.on(status(503));

    private RetryPolicy policy(RetryPolicyBuilder<?> builder, PolicyOverride override) {
      return builder.override(PolicyOverride.on(status(429))).override(override).build();
    }

    @Test
    void apply_as_they_do_to_the_policy() {
      RetryPolicyBuilder.Plain fixed = RetryPolicy.fixed(ofSeconds(1));

      allows(
          policy(
              fixed,
              on.withMaxRetries(1_000).withBackoff(Backoff.fixed(LONGEST)).withMaxDelay(LONGEST)));
      refuses(
          policy(RetryPolicy.immediate(), on.withMaxRetries(1_001)), "overrides[1].max_retries");
      refuses(policy(RetryPolicy.immediate(), on.withMaxDelay(LONGER)), "overrides[1].max_delay");
      refuses(
          policy(RetryPolicy.immediate(), on.withBackoff(Backoff.fixed(LONGER))),
          "overrides[1].backoff.delay");
      refuses(
          policy(RetryPolicy.immediate(), on.withBackoff(Backoff.schedule(ofDays(1), LONGER))),
          "overrides[1].backoff.delays[1]");
    }

    @Test
    void require_an_expiry_or_a_ladder_for_unlimited_retries() {
      refuses(
          policy(RetryPolicy.immediate(), on.withUnlimitedRetries()), "overrides[1].max_retries");
      allows(policy(RetryPolicy.immediate().expiresAfter(ofDays(1)), on.withUnlimitedRetries()));
      allows(
          policy(
              RetryPolicy.immediate(),
              on.withUnlimitedRetries().withBackoff(Backoff.ladder(Backoff.forever(ofDays(1))))));
    }

    @Test
    void require_an_end_when_an_override_replaces_the_ladder() {
      RetryPolicyBuilder.Plain ladder = RetryPolicy.ladder(Backoff.step(3, ofSeconds(1)));

      refuses(policy(ladder, on.withBackoff(Backoff.fixed(ofSeconds(1)))), "overrides[1].backoff");
    }

    @Test
    void apply_to_the_longest_delay_of_a_growing_backoff() {
      refuses(
          policy(
              RetryPolicy.immediate().maxRetries(3),
              on.withBackoff(Backoff.exponential(ofDays(45), 2))),
          "overrides[1].backoff");
      allows(
          policy(
              RetryPolicy.immediate().maxRetries(3),
              on.withBackoff(Backoff.exponential(ofDays(45), 2)).withMaxRetries(2)));
      allows(
          policy(
              RetryPolicy.immediate().maxRetries(3),
              on.withBackoff(Backoff.exponential(ofDays(45), 2)).withMaxDelay(LONGEST)));
      allows(
          policy(
              RetryPolicy.immediate().maxRetries(3).maxDelay(LONGEST),
              on.withBackoff(Backoff.exponential(ofDays(45), 2))));
    }

    @Test
    void apply_when_more_retries_let_the_backoff_of_the_policy_grow() {
      refuses(
          policy(RetryPolicy.exponential(ofDays(45)).maxRetries(2), on.withMaxRetries(3)),
          "overrides[1].max_retries");
      allows(
          policy(
              RetryPolicy.exponential(ofDays(45)).maxRetries(2),
              on.withMaxRetries(3).withMaxDelay(LONGEST)));
    }

    @Test
    void apply_when_the_jitter_lets_the_backoff_of_the_policy_grow() {
      refuses(
          policy(RetryPolicy.linear(ofDays(1)).maxRetries(5), on.withJitter(Jitter.decorrelated())),
          "overrides[1].jitter");
      refuses(
          policy(
              RetryPolicy.linear(ofDays(1)).jitter(Jitter.decorrelated()).maxRetries(4),
              on.withMaxRetries(5)),
          "overrides[1].max_retries");
    }

    @Test
    void do_not_report_errors_of_the_policy_for_an_override() {
      refuses(
          policy(RetryPolicy.fixed(LONGER).maxRetries(1_001), on), "max_retries", "backoff.delay");
      refuses(policy(RetryPolicy.exponential(ofDays(45)).maxRetries(3), on), "backoff");
      refuses(policy(RetryPolicy.immediate().unlimitedRetries(), on), "max_retries");
    }

    @Test
    void report_one_error_once() {
      refuses(
          policy(
              RetryPolicy.immediate(),
              on.withUnlimitedRetries().withBackoff(Backoff.fixed(ofSeconds(1)))),
          "overrides[1].max_retries");
    }
  }

  @Nested
  class OnDrafts {

    @Test
    void ignore_fields_that_are_missing() {
      PolicyDraft draft = new PolicyDraft();
      assertThat(PolicyLimits.DEFAULT.check(draft)).isEmpty();

      draft.maxRetries(RetryLimit.noLimit());
      assertThat(PolicyLimits.DEFAULT.check(draft)).as("no backoff").isEmpty();
      draft.backoff(Backoff.fixed(ofSeconds(1)));
      assertThat(PolicyLimits.DEFAULT.check(draft))
          .extracting(FieldError::path)
          .containsExactly("max_retries");
    }

    @Test
    void ignore_a_limit_that_is_missing() {
      PolicyDraft draft = new PolicyDraft();
      draft.backoff(Backoff.fixed(ofSeconds(1)));

      assertThat(PolicyLimits.DEFAULT.check(draft)).isEmpty();
    }
  }

  @Nested
  class OnDefaults {

    private final PolicyLimits tight = new PolicyLimits(2, ofSeconds(20));

    @Test
    void cut_retries_and_delays_that_exceed_them() {
      assertThat(tight.cut(RetryPolicy.queue()))
          .isEqualTo(
              RetryPolicy.exponential(ofSeconds(1))
                  .maxRetries(2)
                  .maxDelay(ofSeconds(20))
                  .jitter(Jitter.spread(0.25))
                  .build());
      RetryPolicy http = tight.cut(RetryPolicy.http());
      assertThat(http.maxDelay()).isEqualTo(ofSeconds(20));
      assertThat(http.retryAfter()).isEqualTo(RetryAfter.honored(ofSeconds(20)));
      assertThat(tight.check(http)).isEmpty();
    }

    @Test
    void leave_everything_else_as_it_is() {
      assertThat(PolicyLimits.DEFAULT.cut(RetryPolicy.http())).isEqualTo(RetryPolicy.http());
      RetryPolicy allowed =
          RetryPolicy.fixed(ofSeconds(1)).maxRetries(1).ignoreRetryAfter().build();
      assertThat(tight.cut(allowed)).isEqualTo(allowed);
      RetryPolicy late = RetryPolicy.exponential(ofHours(1)).maxRetries(1).build();
      assertThat(tight.cut(late)).as("cannot be cut").isEqualTo(late);
    }
  }

  @Test
  void report_all_errors_at_once() {
    refuses(
        RetryPolicy.fixed(LONGER)
            .maxRetries(1_001)
            .maxDelay(ofDays(100))
            .retryAfterCap(LONGER)
            .override(PolicyOverride.on(status(503)).withMaxRetries(2_000))
            .build(),
        "max_retries",
        "max_delay",
        "retry_after.cap",
        "backoff.delay",
        "overrides[0].max_retries");
  }
}
