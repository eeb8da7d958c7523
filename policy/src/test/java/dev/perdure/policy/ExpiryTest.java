// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.DecisionAssertions.givesUp;
import static dev.perdure.policy.DecisionAssertions.retriesAfter;
import static dev.perdure.policy.DecisionAssertions.retriesWithin;
import static dev.perdure.policy.GiveUpReason.EXPIRED;
import static dev.perdure.policy.PolicyErrorAssertions.missing;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ExpiryTest {

  private final Failure failure = Failure.timeout();

  private static RetryPolicyBuilder.Plain tenSeconds() {
    return RetryPolicy.fixed(ofSeconds(10)).jitter(Jitter.none());
  }

  @Nested
  class AfterAnAge {

    private final RetryPolicy policy = tenSeconds().expiresAfter(ofSeconds(60)).build();

    private DecisionContext aged(Duration age) {
      return DecisionContext.attempt(0).withAge(age);
    }

    @Test
    void allows_a_retry_exactly_at_the_expiry() {
      retriesAfter(policy, aged(ofMillis(49_999)), failure, ofSeconds(10));
      retriesAfter(policy, aged(ofSeconds(50)), failure, ofSeconds(10));
    }

    @Test
    void rejects_a_retry_one_millisecond_later() {
      givesUp(policy, aged(ofMillis(50_001)), failure, EXPIRED);
      givesUp(policy, aged(ofDays(40_000)), failure, EXPIRED);
      givesUp(policy, aged(ofSeconds(Long.MAX_VALUE)), failure, EXPIRED);
    }

    @Test
    void rejects_a_retry_less_than_a_millisecond_late() {
      givesUp(policy, aged(ofSeconds(50).plusNanos(1)), failure, EXPIRED);
      retriesAfter(policy, aged(ofSeconds(50).minusNanos(1)), failure, ofSeconds(10));
    }

    @Test
    void treats_a_negative_age_as_zero() {
      RetryPolicy tight = tenSeconds().expiresAfter(ofSeconds(9)).build();

      givesUp(tight, aged(ofSeconds(-100)), failure, EXPIRED);
      givesUp(tight, aged(ofSeconds(Long.MIN_VALUE)), failure, EXPIRED);
    }

    @Test
    void ends_even_immediate_retries() {
      RetryPolicy immediate = RetryPolicy.immediate().expiresAfter(ofSeconds(60)).build();

      retriesAfter(immediate, aged(ofSeconds(60)), failure, Duration.ZERO);
      givesUp(immediate, aged(ofMillis(60_001)), failure, EXPIRED);
      givesUp(immediate, aged(ofSeconds(60).plusNanos(1)), failure, EXPIRED);
    }

    @Test
    void ignores_the_current_time() {
      retriesAfter(policy, aged(Duration.ZERO).withNow(Instant.MAX), failure, ofSeconds(10));
    }
  }

  @Nested
  class AtAnInstant {

    private final Instant end = Instant.parse("2026-03-01T00:01:00Z");
    private final RetryPolicy policy = tenSeconds().expiresAt(end).build();

    private DecisionContext at(Instant now) {
      return DecisionContext.attempt(0).withNow(now);
    }

    @Test
    void allows_a_retry_exactly_at_the_expiry() {
      retriesAfter(policy, at(end.minusMillis(10_001)), failure, ofSeconds(10));
      retriesAfter(policy, at(end.minusMillis(10_000)), failure, ofSeconds(10));
    }

    @Test
    void rejects_a_later_retry() {
      givesUp(policy, at(end.minusMillis(9_999)), failure, EXPIRED);
      givesUp(policy, at(end.minusMillis(10_000).plusNanos(1)), failure, EXPIRED);
      givesUp(policy, at(end.plusSeconds(1)), failure, EXPIRED);
    }

    @Test
    void ends_even_immediate_retries() {
      RetryPolicy immediate = RetryPolicy.immediate().expiresAt(end).build();

      retriesAfter(immediate, at(end), failure, Duration.ZERO);
      givesUp(immediate, at(end.plusNanos(1)), failure, EXPIRED);
    }

    @Test
    void handles_the_first_and_the_last_instant() {
      RetryPolicy last = tenSeconds().expiresAt(Instant.MAX).build();
      RetryPolicy past = tenSeconds().expiresAt(Instant.MIN).build();

      retriesAfter(last, at(Instant.MIN), failure, ofSeconds(10));
      givesUp(last, at(Instant.MAX), failure, EXPIRED);
      givesUp(past, at(Instant.MAX), failure, EXPIRED);
    }

    @Test
    void ignores_the_age() {
      retriesAfter(
          policy, at(end.minusSeconds(10)).withAge(ofDays(40_000)), failure, ofSeconds(10));
    }

    @Test
    void requires_an_instant() {
      assertThatNullPointerException()
          .isThrownBy(() -> Expiry.at(missing()))
          .withMessage("expires_at");
    }
  }

  @Nested
  class Jittered {

    private final RetryPolicy policy =
        RetryPolicy.fixed(ofSeconds(10))
            .jitter(Jitter.spread(0.25))
            .expiresAfter(ofSeconds(60))
            .build();

    @Test
    void draws_delays_that_end_before_the_expiry() {
      retriesWithin(
          policy,
          DecisionContext.attempt(0).withAge(ofMillis(48_500)),
          failure,
          ofMillis(7_500),
          ofMillis(11_500));
    }

    @Test
    void draws_from_the_remaining_time_when_the_base_delay_just_fits() {
      retriesWithin(
          policy,
          DecisionContext.attempt(0).withAge(ofSeconds(50)),
          failure,
          ofMillis(7_500),
          ofMillis(10_000));
    }

    @Test
    void rounds_the_remaining_time_down() {
      retriesWithin(
          policy,
          DecisionContext.attempt(0).withAge(ofMillis(48_500).plus(ofNanos(1))),
          failure,
          ofMillis(7_500),
          ofMillis(11_499));
    }

    @Test
    void gives_up_when_the_base_delay_does_not_fit_even_if_a_shorter_draw_would() {
      givesUp(policy, DecisionContext.attempt(0).withAge(ofMillis(50_001)), failure, EXPIRED);
    }
  }

  @Test
  void never_expires_by_default() {
    RetryPolicy policy = tenSeconds().build();

    retriesAfter(
        policy,
        DecisionContext.attempt(0).withAge(ofDays(40_000)).withNow(Instant.MAX),
        failure,
        ofSeconds(10));
  }

  @Test
  void rejects_an_age_of_zero() {
    InvalidPolicyException thrown =
        catchThrowableOfType(InvalidPolicyException.class, () -> Expiry.after(Duration.ZERO));

    assertThat(thrown.errors()).extracting(FieldError::path).containsExactly("expires_after");
  }
}
