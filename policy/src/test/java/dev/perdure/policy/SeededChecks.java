// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Puts a claim to the test with many random sources, and names the seed of the first that breaks
 * it. {@code -Dperdure.seed=N} runs that one alone.
 */
final class SeededChecks {

  private static final String ALONE = System.getProperty("perdure.seed");

  private SeededChecks() {}

  static void each(int seeds, Consumer<RandomGenerator> claim) {
    if (ALONE != null) {
      holds(Long.parseLong(ALONE), claim);
      return;
    }
    for (long seed = 0; seed < seeds; seed++) {
      holds(seed, claim);
    }
  }

  private static void holds(long seed, Consumer<RandomGenerator> claim) {
    try {
      claim.accept(new SplittableRandom(seed));
    } catch (AssertionError | RuntimeException broken) {
      throw new AssertionError(
          "broken with seed %d (alone: -Dperdure.seed=%d): %s"
              .formatted(seed, seed, broken.getMessage()),
          broken);
    }
  }
}
