// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests that delays are drawn uniformly from their range. */
class JitterDistributionTest {

  private static final int CELLS = 100;
  private static final int DRAWS = 100_000;

  /**
   * Chi-square with 99 degrees of freedom: mean 99, standard deviation 14.07; six deviations to
   * either side.
   */
  private static final double MIN = 99 - 6 * 14.07;

  private static final double MAX = 99 + 6 * 14.07;

  private static double chiSquare(RetryPolicy policy, DecisionContext context, long seed) {
    DecisionPreview.DelayBounds bounds =
        (DecisionPreview.DelayBounds) policy.preview(context, Failure.timeout());
    long earliest = bounds.earliest().toMillis();
    long width = bounds.latest().toMillis() - earliest + 1;
    long[] cells = new long[CELLS];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < DRAWS; i++) {
      Decision.Retry retry = (Decision.Retry) policy.decide(context, Failure.timeout(), random);
      cells[(int) ((retry.delay().toMillis() - earliest) * CELLS / width)]++;
    }
    double expected = (double) DRAWS / CELLS;
    double sum = 0;
    for (long count : cells) {
      sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
  }

  private static void assertUniform(RetryPolicy policy, DecisionContext context) {
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(chiSquare(policy, context, seed))
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
  void is_uniform_when_the_range_is_capped() {
    DecisionContext late = DecisionContext.attempt(0).withAge(ofSeconds(100));

    for (Jitter.Independent jitter :
        List.of(Jitter.full(), Jitter.equal(), Jitter.spread(0.25), Jitter.add(0.5))) {
      RetryPolicyBuilder.Plain fixed = RetryPolicy.fixed(ofSeconds(200)).jitter(jitter);
      assertUniform(fixed.maxDelay(ofSeconds(220)).build(), DecisionContext.attempt(0));
      assertUniform(fixed.expiresAfter(ofSeconds(310)).build(), late);
    }
  }

  @Test
  void is_uniform_over_single_milliseconds() {
    Duration base = ofMillis(CELLS - 1);

    assertUniform(
        RetryPolicy.fixed(base).jitter(Jitter.full()).build(), DecisionContext.attempt(0));
  }
}
