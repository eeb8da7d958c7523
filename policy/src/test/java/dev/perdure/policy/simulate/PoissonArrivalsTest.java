// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PoissonArrivalsTest {

  private static final int COUNT = 100_000;

  /** The standard deviation of exponential gaps equals their mean. */
  @Test
  void have_the_given_rate_and_exponential_gaps() {
    Arrivals arrivals = new PoissonArrivals(50, 4, new SplittableRandom(1));
    int[] perClient = new int[4];
    double squares = 0;
    long previous = 0;
    for (int i = 0; i < COUNT; i++) {
      double gap = (double) (arrivals.time() - previous) / ScenarioTimes.SECOND;
      assertThat(gap).isNotNegative();
      squares += gap * gap;
      previous = arrivals.time();
      perClient[arrivals.client()]++;
      arrivals.advance();
    }

    double mean = (double) previous / ScenarioTimes.SECOND / COUNT;
    assertThat(mean).isCloseTo(0.02, within(0.0004));
    assertThat(squares / COUNT).isCloseTo(2 * mean * mean, within(0.00005));
    for (int count : perClient) {
      assertThat(count).isCloseTo(COUNT / 4, withinPercentage(5));
    }
  }

  @Test
  void begin_after_a_random_gap() {
    assertThat(new PoissonArrivals(50, 4, new SplittableRandom(7)).time()).isPositive();
  }

  @Test
  void are_the_same_for_the_same_seed() {
    Arrivals one = new PoissonArrivals(50, 4, new SplittableRandom(7));
    Arrivals other = new PoissonArrivals(50, 4, new SplittableRandom(7));
    for (int i = 0; i < 100; i++) {
      assertThat(one.time()).isEqualTo(other.time());
      assertThat(one.client()).isEqualTo(other.client());
      one.advance();
      other.advance();
    }
  }
}
