// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.DecisionAssertions.givesUp;
import static dev.perdure.policy.DecisionAssertions.retriesAfter;
import static dev.perdure.policy.DecisionAssertions.retriesWithin;
import static dev.perdure.policy.FailureMatcher.any;
import static dev.perdure.policy.FailureMatcher.clientErrors;
import static dev.perdure.policy.FailureMatcher.exception;
import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.FailureMatcher.statuses;
import static dev.perdure.policy.GiveUpReason.EXHAUSTED;
import static dev.perdure.policy.GiveUpReason.EXPIRED;
import static dev.perdure.policy.GiveUpReason.NOT_RETRYABLE;
import static dev.perdure.policy.GiveUpReason.NO_POLICY;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeciderTest {

  /** 2 retries of 5xx, 10 s each, within 60 s. */
  private final RetryPolicy policy =
      RetryPolicy.fixed(ofSeconds(10))
          .jitter(Jitter.none())
          .maxRetries(2)
          .expiresAfter(ofSeconds(60))
          .retryOn(serverErrors())
          .build();

  private final DecisionContext inTime = DecisionContext.attempt(0).withAge(Duration.ZERO);
  private final DecisionContext noRetriesLeft = DecisionContext.attempt(2);
  private final DecisionContext tooLate = inTime.withAge(ofSeconds(51));
  private final Failure retryable = Failure.http(503);
  private final Failure other = Failure.http(404);

  @Nested
  class OrderOfChecks {

    @Test
    void no_policy_is_checked_first() {
      RetryPolicy none = RetryPolicy.none();

      givesUp(none, inTime, retryable, NO_POLICY);
      givesUp(none, noRetriesLeft.withAge(ofSeconds(51)), other.withPermanent(true), NO_POLICY);
      givesUp(none, inTime, retryable.withRequestedDelay(ofSeconds(1)), NO_POLICY);
    }

    @Test
    void a_permanent_failure_is_checked_before_the_retry_limit_and_the_expiry() {
      givesUp(policy, inTime, retryable.withPermanent(true), NOT_RETRYABLE);
      givesUp(policy, noRetriesLeft, retryable.withPermanent(true), NOT_RETRYABLE);
      givesUp(policy, tooLate, retryable.withPermanent(true), NOT_RETRYABLE);
    }

    @Test
    void matching_is_checked_before_the_retry_limit_and_the_expiry() {
      givesUp(policy, inTime, other, NOT_RETRYABLE);
      givesUp(policy, noRetriesLeft, other, NOT_RETRYABLE);
      givesUp(policy, tooLate, other, NOT_RETRYABLE);
      givesUp(policy, inTime, other.withRequestedDelay(ofSeconds(1)), NOT_RETRYABLE);
    }

    @Test
    void the_retry_limit_is_checked_before_the_expiry() {
      givesUp(policy, noRetriesLeft, retryable, EXHAUSTED);
      givesUp(policy, noRetriesLeft.withAge(ofSeconds(51)), retryable, EXHAUSTED);
    }

    @Test
    void the_end_of_a_ladder_is_checked_before_the_expiry() {
      RetryPolicy ladder =
          RetryPolicy.ladder(Backoff.step(1, ofSeconds(10))).expiresAfter(ofSeconds(60)).build();

      givesUp(ladder, DecisionContext.attempt(1).withAge(ofSeconds(59)), retryable, EXHAUSTED);
    }

    @Test
    void the_expiry_is_checked_last() {
      givesUp(policy, tooLate, retryable, EXPIRED);
      retriesAfter(policy, inTime, retryable, ofSeconds(10));
    }
  }

  @Nested
  class Counting {

    @Test
    void three_retries_are_four_attempts() {
      RetryPolicy three =
          RetryPolicy.fixed(ofSeconds(1)).jitter(Jitter.none()).maxRetries(3).build();

      for (long failed = 0; failed < 3; failed++) {
        retriesAfter(three, DecisionContext.attempt(failed), other, ofSeconds(1));
      }
      givesUp(three, DecisionContext.attempt(3), other, EXHAUSTED);
      givesUp(three, DecisionContext.attempt(4), other, EXHAUSTED);
    }

    @Test
    void no_retries_are_one_attempt() {
      RetryPolicy zero = RetryPolicy.fixed(ofSeconds(1)).maxRetries(0).build();

      givesUp(zero, DecisionContext.attempt(0), other, EXHAUSTED);
    }

    @Test
    void unlimited_retries_never_run_out() {
      RetryPolicy endless = RetryPolicy.immediate().unlimitedRetries().build();

      retriesAfter(endless, DecisionContext.attempt(1L << 40), other, ofMillis(0));
    }

    @Test
    void the_number_of_attempts_does_not_overflow() {
      RetryPolicy endless = RetryPolicy.immediate().unlimitedRetries().build();

      Decision last =
          endless.decide(DecisionContext.attempt(Long.MAX_VALUE), other, new SplittableRandom(1));
      Decision lastButOne =
          endless.decide(
              DecisionContext.attempt(Long.MAX_VALUE - 1), other, new SplittableRandom(1));

      assertThat(last).isEqualTo(new Decision.Retry(ofMillis(0), Long.MAX_VALUE));
      assertThat(lastButOne).isEqualTo(new Decision.Retry(ofMillis(0), Long.MAX_VALUE));
    }

    @Test
    void a_ladder_ends_before_a_larger_limit_and_after_a_smaller_one() {
      var ladder =
          RetryPolicy.ladder(Backoff.step(2, ofSeconds(1)), Backoff.step(2, ofSeconds(9)))
              .jitter(Jitter.none());

      RetryPolicy larger = ladder.maxRetries(9).build();
      RetryPolicy smaller = ladder.maxRetries(3).build();

      retriesAfter(larger, DecisionContext.attempt(3), other, ofSeconds(9));
      givesUp(larger, DecisionContext.attempt(4), other, EXHAUSTED);
      retriesAfter(smaller, DecisionContext.attempt(2), other, ofSeconds(9));
      givesUp(smaller, DecisionContext.attempt(3), other, EXHAUSTED);
    }
  }

  @Nested
  class Matching {

    @ParameterizedTest
    @CsvSource({"408,true", "429,true", "500,true", "400,false", "404,false", "302,false"})
    void retries_a_failure_that_retry_on_matches_more_specifically_than_never_on(
        int status, boolean retried) {
      RetryPolicy selective =
          RetryPolicy.immediate()
              .retryOn(serverErrors(), status(408), status(429))
              .neverOn(clientErrors())
              .build();

      assertThat(
              selective.preview(inTime, Failure.http(status))
                  instanceof DecisionPreview.DelayBounds)
          .isEqualTo(retried);
    }

    @Test
    void never_on_wins_a_tie_at_every_rank() {
      Failure failure = Failure.exception(new IOException()).withStatus(503).withCode("busy");
      for (String text :
          new String[] {
            "503",
            "code:busy",
            "exception:java.io.IOException",
            "exception:java.lang.Exception",
            "500-503",
            "5xx",
            "exception",
            "*"
          }) {
        FailureMatcher matcher = FailureMatcher.parse(text);
        RetryPolicy tie = RetryPolicy.immediate().retryOn(matcher).neverOn(matcher).build();

        givesUp(tie, inTime, failure, NOT_RETRYABLE);
      }
    }

    @Test
    void never_on_wins_a_tie_between_different_matchers() {
      RetryPolicy tie =
          RetryPolicy.immediate().retryOn(statuses(500, 503)).neverOn(statuses(503, 599)).build();

      givesUp(tie, inTime, Failure.http(503), NOT_RETRYABLE);
      retriesAfter(tie, inTime, Failure.http(502), ofMillis(0));
    }

    @Test
    void the_nearer_supertype_wins() {
      RetryPolicy near =
          RetryPolicy.immediate()
              .retryOn(exception(IOException.class))
              .neverOn(exception(Exception.class))
              .build();
      RetryPolicy far =
          RetryPolicy.immediate()
              .retryOn(exception(Exception.class))
              .neverOn(exception(IOException.class))
              .build();

      retriesAfter(near, inTime, Failure.exception(new FileNotFoundException()), ofMillis(0));
      givesUp(near, inTime, Failure.exception(new Exception()), NOT_RETRYABLE);
      givesUp(far, inTime, Failure.exception(new FileNotFoundException()), NOT_RETRYABLE);
      retriesAfter(far, inTime, Failure.exception(new Exception()), ofMillis(0));
    }

    @Test
    void retries_everything_outside_never_on_by_default() {
      RetryPolicy policy = RetryPolicy.immediate().neverOn(clientErrors()).build();

      retriesAfter(policy, inTime, Failure.timeout(), ofMillis(0));
      givesUp(policy, inTime, Failure.http(404), NOT_RETRYABLE);
    }

    @Test
    void retries_only_more_specific_matches_when_never_on_matches_everything() {
      RetryPolicy policy =
          RetryPolicy.immediate().retryOn(any(), status(503)).neverOn(any()).build();

      givesUp(policy, inTime, Failure.timeout(), NOT_RETRYABLE);
      retriesAfter(policy, inTime, Failure.http(503), ofMillis(0));
    }
  }

  @Nested
  class Delays {

    @Test
    void are_spread_by_a_quarter_by_default() {
      RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1)).build();

      retriesWithin(policy, DecisionContext.attempt(0), other, ofMillis(750), ofMillis(1_250));
      retriesWithin(policy, DecisionContext.attempt(2), other, ofSeconds(3), ofSeconds(5));
    }

    @Test
    void are_capped_at_max_delay_before_drawing() {
      RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1)).maxDelay(ofMillis(4_500)).build();

      retriesWithin(policy, DecisionContext.attempt(2), other, ofMillis(3_000), ofMillis(4_500));
    }

    @Test
    void include_the_base_delay_in_the_preview() {
      RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1)).maxDelay(ofSeconds(3)).build();

      assertThat(policy.preview(DecisionContext.attempt(1), other))
          .isEqualTo(
              new DecisionPreview.DelayBounds(ofSeconds(2), ofMillis(1_500), ofMillis(2_500)));
      assertThat(policy.preview(DecisionContext.attempt(2), other))
          .isEqualTo(new DecisionPreview.DelayBounds(ofSeconds(3), ofMillis(2_250), ofSeconds(3)));
    }

    @Test
    void are_at_most_3650_days_without_max_delay() {
      RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1)).unlimitedRetries().build();
      long max = 3650L * 24 * 3600 * 1000;

      retriesWithin(
          policy, DecisionContext.attempt(100), other, ofMillis(max / 4 * 3), ofMillis(max));
    }

    @Test
    void depend_on_the_previous_delay_when_decorrelated() {
      RetryPolicy policy =
          RetryPolicy.exponential(ofSeconds(1))
              .jitter(Jitter.decorrelated())
              .maxDelay(ofSeconds(20))
              .unlimitedRetries()
              .build();
      DecisionContext fifth = DecisionContext.attempt(4);

      retriesWithin(policy, fifth, other, ofSeconds(1), ofSeconds(3));
      retriesWithin(
          policy, fifth.withPreviousDelay(ofSeconds(5)), other, ofSeconds(1), ofSeconds(15));
      retriesWithin(
          policy, fifth.withPreviousDelay(ofSeconds(7)), other, ofSeconds(1), ofSeconds(20));
    }
  }
}
