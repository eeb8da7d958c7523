// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Runs a property check with many seeds and reports the first seed that fails. {@code
 * -Dperdure.seed=N} runs only that seed.
 */
final class SeededChecks {

  private static final String ONLY_SEED = System.getProperty("perdure.seed");

  private SeededChecks() {}

  static void each(int seeds, Consumer<RandomGenerator> property) {
    if (ONLY_SEED != null) {
      check(Long.parseLong(ONLY_SEED), property);
      return;
    }
    for (long seed = 0; seed < seeds; seed++) {
      check(seed, property);
    }
  }

  private static void check(long seed, Consumer<RandomGenerator> property) {
    try {
      property.accept(new SplittableRandom(seed));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "failed with seed %d (run only this one with -Dperdure.seed=%d): %s"
              .formatted(seed, seed, e.getMessage()),
          e);
    }
  }
}
