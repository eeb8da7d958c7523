// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.Jitter.decorrelated;
import static dev.perdure.policy.Jitter.spread;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RetryPolicyBuilderTest {

  @Test
  void builds_the_policy_of_the_documentation() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .multiplier(2)
            .maxDelay(ofMinutes(5))
            .maxRetries(5)
            .jitter(spread(0.25))
            .retryOn(status(429), serverErrors())
            .build();

    assertThat(policy.maxRetries()).isEqualTo(RetryLimit.of(5));
    assertThat(policy.backoff()).isEqualTo(new Backoff.Exponential(ofSeconds(1), 2));
    assertThat(policy.preview(DecisionContext.attempt(2), Failure.http(503)))
        .isEqualTo(new DecisionPreview.DelayBounds(ofSeconds(4), ofSeconds(3), ofSeconds(5)));
    assertThat(policy.preview(DecisionContext.attempt(0), Failure.timeout()))
        .isEqualTo(new Decision.GiveUp(GiveUpReason.NOT_RETRYABLE));
  }

  @Test
  void draws_a_delay_and_counts_the_attempt() {
    RetryPolicy policy = RetryPolicy.linear(ofSeconds(1)).jitter(decorrelated()).build();

    Decision decision =
        policy.decide(
            DecisionContext.attempt(1).withPreviousDelay(ofSeconds(2)),
            Failure.timeout(),
            new SplittableRandom(7));

    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Retry.class,
            retry -> {
              assertThat(retry.attempt()).isEqualTo(2);
              assertThat(retry.delay()).isBetween(ofSeconds(1), ofSeconds(6));
            });
  }

  @Test
  void reports_all_errors_at_once() {
    RetryPolicyBuilder.Exponential builder =
        RetryPolicy.exponential(Duration.ZERO)
            .multiplier(0.5)
            .maxRetries(-1)
            .maxDelay(ofMillis(-3))
            .retryOn();

    InvalidPolicyException thrown =
        catchThrowableOfType(InvalidPolicyException.class, builder::build);

    assertThat(thrown.errors())
        .extracting(FieldError::path)
        .containsExactlyInAnyOrder(
            "max_retries", "backoff.initial", "backoff.multiplier", "max_delay", "retry_on");
  }

  @Test
  void builds_every_backoff() {
    assertThat(RetryPolicy.immediate().build().backoff()).isEqualTo(Backoff.immediate());
    assertThat(RetryPolicy.fixed(ofSeconds(2)).build().backoff())
        .isEqualTo(Backoff.fixed(ofSeconds(2)));
    assertThat(RetryPolicy.linear(ofSeconds(2)).build().backoff())
        .isEqualTo(Backoff.linear(ofSeconds(2), ofSeconds(2)));
    assertThat(RetryPolicy.linear(ofSeconds(2)).increment(ofSeconds(3)).build().backoff())
        .isEqualTo(Backoff.linear(ofSeconds(2), ofSeconds(3)));
    assertThat(RetryPolicy.exponential(ofSeconds(2)).build().backoff())
        .isEqualTo(Backoff.exponential(ofSeconds(2), 2));
    assertThat(RetryPolicy.exponential(ofSeconds(2)).multiplier(1.5).build().backoff())
        .isEqualTo(Backoff.exponential(ofSeconds(2), 1.5));
    assertThat(RetryPolicy.schedule(ofSeconds(2), ofSeconds(1)).build().backoff())
        .isEqualTo(Backoff.schedule(ofSeconds(2), ofSeconds(1)));
    assertThat(RetryPolicy.ladder(Backoff.forever(ofSeconds(2))).build().backoff())
        .isEqualTo(Backoff.ladder(Backoff.forever(ofSeconds(2))));
  }

  @Test
  void sets_every_field() {
    Instant end = Instant.parse("2026-03-01T00:00:00Z");
    PolicyOverride override = PolicyOverride.on(status(429)).withMaxRetries(1);

    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .unlimitedRetries()
            .jitter(decorrelated())
            .maxDelay(ofMinutes(1))
            .expiresAt(end)
            .retryOn(serverErrors())
            .neverOn(status(501))
            .retryAfterCap(ofMinutes(2))
            .override(override)
            .build();

    assertThat(policy)
        .isEqualTo(
            new RetryPolicy(
                RetryLimit.noLimit(),
                Backoff.exponential(ofSeconds(1), 2),
                decorrelated(),
                ofMinutes(1),
                Expiry.at(end),
                List.of(serverErrors()),
                List.of(status(501)),
                RetryAfter.honored(ofMinutes(2)),
                List.of(override)));
  }

  @Test
  void uses_the_last_of_two_conflicting_settings() {
    RetryPolicyBuilder.Plain builder =
        RetryPolicy.immediate()
            .maxRetries(1)
            .unlimitedRetries()
            .expiresAt(Instant.EPOCH)
            .expiresAfter(ofMinutes(1))
            .retryAfterCap(ofMinutes(1))
            .ignoreRetryAfter();

    assertThat(builder.build().maxRetries()).isEqualTo(RetryLimit.noLimit());
    assertThat(builder.build().expiry()).isEqualTo(Expiry.after(ofMinutes(1)));
    assertThat(builder.build().retryAfter()).isEqualTo(RetryAfter.ignored());
  }

  @Test
  void can_build_again_without_changing_earlier_policies() {
    RetryPolicyBuilder.Plain builder = RetryPolicy.immediate();
    RetryPolicy first = builder.build();

    RetryPolicy second = builder.override(PolicyOverride.on(status(503))).maxRetries(9).build();

    assertThat(first.overrides()).isEmpty();
    assertThat(first.maxRetries()).isEqualTo(RetryLimit.of(3));
    assertThat(second.overrides()).hasSize(1);
    assertThat(second.maxRetries()).isEqualTo(RetryLimit.of(9));
  }

  @Test
  void reports_the_errors_every_time() {
    RetryPolicyBuilder.Linear builder =
        RetryPolicy.linear(ofSeconds(1))
            .increment(Duration.ZERO)
            .maxRetries(-1)
            .expiresAfter(Duration.ZERO)
            .retryAfterCap(Duration.ZERO);
    String[] paths = {"max_retries", "expires_after", "retry_after.cap", "backoff.increment"};

    PolicyErrorAssertions.refusesAt(builder::build, paths);
    PolicyErrorAssertions.refusesAt(builder::build, paths);
  }

  @Test
  void reports_errors_in_a_schedule_and_a_ladder() {
    PolicyErrorAssertions.refusesAt(() -> RetryPolicy.schedule().build(), "backoff.delays");
    PolicyErrorAssertions.refusesAt(
        () -> RetryPolicy.schedule(Duration.ZERO).maxRetries(-1).build(),
        "max_retries",
        "backoff.delays[0]");
    PolicyErrorAssertions.refusesAt(() -> RetryPolicy.ladder().build(), "backoff.steps");
    PolicyErrorAssertions.refusesAt(
        () -> RetryPolicy.fixed(Duration.ZERO).build(), "backoff.delay");
  }

  @Test
  void reports_the_path_of_an_invalid_override() {
    PolicyErrorAssertions.refusesAt(
        () ->
            RetryPolicy.immediate()
                .override(PolicyOverride.on(status(429)))
                .override(PolicyOverride.on(status(503)).withJitter(decorrelated()))
                .build(),
        "overrides[1].jitter");
  }
}
