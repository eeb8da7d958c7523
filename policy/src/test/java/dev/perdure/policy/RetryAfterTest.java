// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.DecisionAssertions.givesUp;
import static dev.perdure.policy.DecisionAssertions.retriesAfter;
import static dev.perdure.policy.DecisionAssertions.retriesWithin;
import static dev.perdure.policy.GiveUpReason.EXHAUSTED;
import static dev.perdure.policy.GiveUpReason.EXPIRED;
import static dev.perdure.policy.GiveUpReason.NOT_RETRYABLE;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetryAfterTest {

  private final DecisionContext first = DecisionContext.attempt(0).withAge(Duration.ZERO);
  private final Failure slow = Failure.http(429);

  private static RetryPolicyBuilder.Plain policy() {
    return RetryPolicy.fixed(ofSeconds(10)).maxDelay(ofSeconds(10)).maxRetries(2);
  }

  @Nested
  class RetryAfterFromServer {

    private Failure after(Duration delay) {
      return slow.withRetryAfter(delay);
    }

    @Test
    void is_honoured_without_jitter_by_default() {
      retriesAfter(policy().build(), first, after(ofSeconds(7)), ofSeconds(7));
    }

    @Test
    void may_exceed_max_delay() {
      retriesAfter(policy().build(), first, after(ofHours(1)), ofHours(1));
    }

    @Test
    void may_be_shorter_than_the_base_delay() {
      retriesAfter(policy().build(), first, after(ofMillis(1)), ofMillis(1));
      retriesAfter(policy().build(), first, after(Duration.ZERO), Duration.ZERO);
      retriesAfter(policy().build(), first, after(ofSeconds(-1)), Duration.ZERO);
    }

    @Test
    void is_capped_at_24_hours_by_default() {
      retriesAfter(policy().build(), first, after(ofHours(24)), ofHours(24));
      retriesAfter(policy().build(), first, after(ofHours(24).plusMillis(1)), ofHours(24));
      retriesAfter(policy().build(), first, after(ofSeconds(Long.MAX_VALUE)), ofHours(24));
    }

    @Test
    void is_capped_at_an_explicit_cap() {
      RetryPolicy capped = policy().retryAfterCap(ofSeconds(60)).build();

      retriesAfter(capped, first, after(ofSeconds(60)), ofSeconds(60));
      retriesAfter(capped, first, after(ofSeconds(61)), ofSeconds(60));
      retriesAfter(capped, first, after(ofSeconds(59)), ofSeconds(59));
    }

    @Test
    void is_rounded_up() {
      retriesAfter(policy().build(), first, after(ofNanos(1)), ofMillis(1));
      retriesAfter(policy().build(), first, after(ofNanos(1_000_001)), ofMillis(2));
      retriesAfter(policy().build(), first, after(ofMillis(2)), ofMillis(2));
    }

    @Test
    void can_be_ignored() {
      RetryPolicy ignoring = policy().ignoreRetryAfter().build();

      retriesWithin(ignoring, first, after(ofHours(1)), ofMillis(7_500), ofSeconds(10));
    }

    @Test
    void beyond_the_expiry_gives_up() {
      RetryPolicy expiring = policy().expiresAfter(ofSeconds(60)).build();

      retriesAfter(expiring, first, after(ofSeconds(60)), ofSeconds(60));
      givesUp(expiring, first, after(ofMillis(60_001)), EXPIRED);
    }

    @Test
    void before_the_expiry_is_kept_even_if_the_base_delay_exceeds_it() {
      RetryPolicy expiring = policy().expiresAfter(ofSeconds(60)).build();

      retriesAfter(expiring, first.withAge(ofSeconds(55)), after(ofSeconds(5)), ofSeconds(5));
    }

    @Test
    void does_not_add_retries_or_make_failures_retryable() {
      givesUp(policy().build(), DecisionContext.attempt(2), after(ofSeconds(1)), EXHAUSTED);
      givesUp(
          policy().retryOn(FailureMatcher.timeout()).build(),
          first,
          after(ofSeconds(1)),
          NOT_RETRYABLE);
    }
  }

  @Nested
  class RequestedByTheWork {

    private Failure requesting(Duration delay) {
      return slow.withRequestedDelay(delay);
    }

    @Test
    void is_always_honoured() {
      RetryPolicy ignoring = policy().ignoreRetryAfter().build();
      RetryPolicy capped = policy().retryAfterCap(ofSeconds(1)).build();

      retriesAfter(ignoring, first, requesting(ofHours(30)), ofHours(30));
      retriesAfter(capped, first, requesting(ofDays(400)), ofDays(400));
      retriesAfter(capped, first, requesting(Duration.ZERO), Duration.ZERO);
      retriesAfter(capped, first, requesting(ofNanos(1)), ofMillis(1));
    }

    @Test
    void overrides_retry_after() {
      retriesAfter(
          policy().build(),
          first,
          requesting(ofSeconds(3)).withRetryAfter(ofSeconds(7)),
          ofSeconds(3));
    }

    @Test
    void uses_up_a_retry() {
      retriesAfter(
          policy().build(), DecisionContext.attempt(1), requesting(ofSeconds(3)), ofSeconds(3));
      givesUp(policy().build(), DecisionContext.attempt(2), requesting(ofSeconds(3)), EXHAUSTED);
    }

    @Test
    void counts_as_a_step_of_a_ladder() {
      RetryPolicy ladder = RetryPolicy.ladder(Backoff.step(1, ofSeconds(5))).build();

      retriesAfter(ladder, first, requesting(ofSeconds(3)), ofSeconds(3));
      givesUp(ladder, DecisionContext.attempt(1), requesting(ofSeconds(3)), EXHAUSTED);
    }

    @Test
    void cannot_exceed_the_expiry() {
      RetryPolicy expiring = policy().expiresAfter(ofSeconds(60)).build();

      retriesAfter(expiring, first, requesting(ofSeconds(60)), ofSeconds(60));
      givesUp(expiring, first, requesting(ofMillis(60_001)), EXPIRED);
    }

    @Test
    void does_not_retry_a_permanent_failure() {
      givesUp(policy().build(), first, requesting(ofSeconds(1)).withPermanent(true), NOT_RETRYABLE);
    }

    @Test
    void is_at_most_100_years() {
      retriesAfter(policy().build(), first, requesting(ofDays(36_501)), ofDays(36_500));
      retriesAfter(
          policy().build(),
          first,
          requesting(ofSeconds(Long.MAX_VALUE, 999_999_999)),
          ofDays(36_500));
    }
  }

  @Test
  void is_honoured_up_to_24_hours_by_default() {
    assertThat(RetryAfter.DEFAULT).isEqualTo(new RetryAfter(true, ofHours(24)));
    assertThat(RetryAfter.honored(ofSeconds(5))).isEqualTo(new RetryAfter(true, ofSeconds(5)));
    assertThat(RetryAfter.ignored().honor()).isFalse();
  }

  @Test
  void rejects_a_cap_of_zero() {
    InvalidPolicyException thrown =
        catchThrowableOfType(InvalidPolicyException.class, () -> RetryAfter.honored(Duration.ZERO));

    assertThat(thrown.errors()).extracting(FieldError::path).containsExactly("cap");
  }
}
