// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Faults of earlier systems: they cap the delay after drawing it, so that all clients retry at the
 * same instant once the cap is reached; they compute {@code initial × 2^n} in a long, which
 * overflows after 54 retries; and they subtract jitter until the delay is negative.
 */
class Fault20JitterAtTheCapTest {

  private static final Failure FAILURE = Failure.timeout();
  private static final Duration CAP = ofSeconds(60);
  private static final int DRAWS = 10_000;

  private static Map<Duration, Integer> draws(RetryPolicy policy, DecisionContext context) {
    Map<Duration, Integer> counts = new HashMap<>();
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 0; i < DRAWS; i++) {
      Decision.Retry retry = (Decision.Retry) policy.decide(context, FAILURE, random);
      counts.merge(retry.delay(), 1, Integer::sum);
    }
    return counts;
  }

  /** Policies with every jitter that leaves a range at the cap. */
  private static List<RetryPolicy> policiesWithJitter(Duration cap) {
    List<RetryPolicy> policies = new ArrayList<>();
    for (Jitter.Independent jitter :
        List.of(Jitter.spread(0.25), Jitter.spread(1), Jitter.full(), Jitter.equal())) {
      policies.add(exponential(cap).jitter(jitter).build());
    }
    policies.add(exponential(cap).jitter(Jitter.decorrelated()).build());
    return policies;
  }

  private static RetryPolicyBuilder.Exponential exponential(Duration cap) {
    return RetryPolicy.exponential(ofMillis(100)).maxDelay(cap).unlimitedRetries();
  }

  @Nested
  class JitterAtTheCap {

    private final DecisionContext longAfter = DecisionContext.attempt(100).withPreviousDelay(CAP);

    private void assertSpread(Map<Duration, Integer> draws, Duration latest) {
      assertThat(draws.keySet()).allMatch(delay -> delay.compareTo(latest) <= 0);
      assertThat(draws.values()).allMatch(count -> count <= DRAWS / 50);
    }

    @Test
    void remains() {
      for (RetryPolicy policy : policiesWithJitter(CAP)) {
        assertSpread(draws(policy, longAfter), CAP);
      }
    }

    @Test
    void remains_at_the_default_maximum_without_max_delay() {
      for (Jitter.Independent jitter :
          List.of(Jitter.spread(0.25), Jitter.full(), Jitter.equal())) {
        RetryPolicy policy =
            RetryPolicy.exponential(ofSeconds(1)).unlimitedRetries().jitter(jitter).build();
        assertSpread(draws(policy, longAfter), ofDays(3650));
      }
    }

    @Test
    void remains_at_the_expiry() {
      Duration left = ofSeconds(70);
      for (Jitter.Independent jitter :
          List.of(Jitter.spread(0.25), Jitter.full(), Jitter.equal(), Jitter.add(0.5))) {
        RetryPolicy policy =
            RetryPolicy.fixed(CAP).jitter(jitter).expiresAfter(ofSeconds(100)).build();
        assertSpread(draws(policy, DecisionContext.attempt(0).withAge(ofSeconds(30))), left);
      }
    }

    @Test
    void is_exactly_the_cap_when_jitter_only_adds() {
      RetryPolicy policy = exponential(CAP).jitter(Jitter.add(0.5)).build();

      assertThat(draws(policy, longAfter)).containsOnlyKeys(CAP);
    }
  }

  @Nested
  class AfterManyRetries {

    private final long[] many =
        LongStream.concat(
                LongStream.rangeClosed(0, 2_000),
                LongStream.of(
                    Integer.MAX_VALUE,
                    1L << 31,
                    (1L << 31) + 1,
                    1L << 53,
                    1L << 62,
                    Long.MAX_VALUE - 1,
                    Long.MAX_VALUE))
            .toArray();

    private void assertNeverShrinks(Backoff backoff, long limit) {
      long before = 0;
      for (long n : many) {
        long base = BackoffMath.baseDelayMillis(backoff, n, limit);
        assertThat(base).as("after attempt %d of %s", n, backoff).isBetween(before, limit);
        before = base;
      }
      assertThat(before).isEqualTo(limit);
    }

    @Test
    void delays_do_not_overflow() {
      for (long limit :
          new long[] {CAP.toMillis(), Millis.DEFAULT_MAX_DELAY, Millis.MAX_DURATION.toMillis()}) {
        assertNeverShrinks(Backoff.exponential(ofMillis(1), 2), limit);
        assertNeverShrinks(Backoff.exponential(ofSeconds(1), 1.5), limit);
        assertNeverShrinks(Backoff.exponential(ofSeconds(1), 1e300), limit);
        assertNeverShrinks(Backoff.linear(ofMillis(1), ofMillis(1)), limit);
        assertNeverShrinks(Backoff.linear(ofSeconds(1), ofDays(36_500)), limit);
      }
    }

    @Test
    void drawn_delays_stay_within_the_cap() {
      for (RetryPolicy policy : policiesWithJitter(CAP)) {
        for (long n : many) {
          Decision decision =
              policy.decide(
                  DecisionContext.attempt(n).withPreviousDelay(CAP),
                  FAILURE,
                  new SplittableRandom(n));
          assertThat(((Decision.Retry) decision).delay()).isBetween(Duration.ZERO, CAP);
        }
      }
    }
  }

  @Nested
  class SingleDelay {

    @Test
    void is_never_negative() {
      for (long base : new long[] {1, 2, 3, 999, Millis.MAX_DURATION.toMillis()}) {
        for (Jitter.Independent jitter :
            List.of(Jitter.spread(1), Jitter.full(), Jitter.equal(), Jitter.add(1))) {
          RetryPolicy policy = RetryPolicy.fixed(ofMillis(base)).jitter(jitter).build();
          assertThat(draws(policy, DecisionContext.attempt(0)).keySet())
              .noneMatch(Duration::isNegative);
        }
      }
    }

    @Test
    void is_never_negative_when_a_negative_delay_is_requested() {
      RetryPolicy policy = RetryPolicy.fixed(CAP).build();

      for (Failure failure :
          List.of(
              FAILURE.withRetryAfter(ofSeconds(-5)),
              FAILURE.withRequestedDelay(ofSeconds(Long.MIN_VALUE)))) {
        assertThat(policy.decide(DecisionContext.attempt(0), failure, new SplittableRandom(1)))
            .isEqualTo(new Decision.Retry(Duration.ZERO, 1));
      }
    }

    @Test
    void is_never_negative_after_a_negative_previous_delay() {
      RetryPolicy policy = RetryPolicy.linear(ofMillis(1)).jitter(Jitter.decorrelated()).build();
      DecisionContext context =
          DecisionContext.attempt(1).withPreviousDelay(ofSeconds(Long.MIN_VALUE));

      assertThat(draws(policy, context).keySet())
          .containsExactlyInAnyOrder(ofMillis(1), ofMillis(2), ofMillis(3));
    }
  }
}
