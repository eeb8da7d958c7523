// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How the draws of a window are spread over it. */
class JitterDistributionTest {

  private static final int CELLS = 100;
  private static final int DRAWS = 100_000;

  /** Chi-square of 99 degrees of freedom: mean 99, deviation 14; six deviations to either side. */
  private static final double MIN = 99 - 6 * 14.07;

  private static final double MAX = 99 + 6 * 14.07;

  private static double chiSquare(RetryPolicy policy, DecisionContext decisionContext, long seed) {
    DecisionPreview.DelayBounds delayBounds =
        (DecisionPreview.DelayBounds) policy.preview(decisionContext, Failure.timeout());
    long earliest = delayBounds.earliest().toMillis();
    long width = delayBounds.latest().toMillis() - earliest + 1;
    long[] cells = new long[CELLS];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < DRAWS; i++) {
      Decision.Retry retry =
          (Decision.Retry) policy.decide(decisionContext, Failure.timeout(), random);
      cells[(int) ((retry.delay().toMillis() - earliest) * CELLS / width)]++;
    }
    double expected = (double) DRAWS / CELLS;
    double sum = 0;
    for (long count : cells) {
      sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
  }

  private static void assertUniform(RetryPolicy policy, DecisionContext decisionContext) {
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(chiSquare(policy, decisionContext, seed))
          .as("chi-square of %s with seed %d", policy.jitter().getClass().getSimpleName(), seed)
          .isBetween(MIN, MAX);
    }
  }

  @Test
  void is_uniform_for_every_jitter() {
    for (Jitter.Independent jitter :
        List.of(Jitter.full(), Jitter.equal(), Jitter.spread(0.25), Jitter.add(0.5))) {
      assertUniform(
          RetryPolicy.fixed(ofSeconds(200)).jitter(jitter).build(), DecisionContext.attempt(0));
    }
    assertUniform(
        RetryPolicy.exponential(ofSeconds(100)).jitter(Jitter.decorrelated()).build(),
        DecisionContext.attempt(1).withPreviousDelay(ofSeconds(250)));
  }

  @Test
  void is_uniform_where_the_window_is_cut() {
    DecisionContext late = DecisionContext.attempt(0).withAge(ofSeconds(100));

    for (Jitter.Independent jitter :
        List.of(Jitter.full(), Jitter.equal(), Jitter.spread(0.25), Jitter.add(0.5))) {
      RetryPolicyBuilder.Plain fixed = RetryPolicy.fixed(ofSeconds(200)).jitter(jitter);
      assertUniform(fixed.maxDelay(ofSeconds(220)).build(), DecisionContext.attempt(0));
      assertUniform(fixed.expiresAfter(ofSeconds(310)).build(), late);
    }
  }

  @Test
  void is_uniform_down_to_the_single_millisecond() {
    Duration base = ofMillis(CELLS - 1);

    assertUniform(
        RetryPolicy.fixed(base).jitter(Jitter.full()).build(), DecisionContext.attempt(0));
  }
}
