// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The random source of a delay. It is the same for the same task and attempt, so a crash and a
 * replay give the same delay.
 */
public final class SeededRandom {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private SeededRandom() {}

  public static RandomGenerator of(UUID task, long attempt) {
    long seed = task.getMostSignificantBits() * 31 + task.getLeastSignificantBits();
    return new SplittableRandom(seed ^ (attempt * GOLDEN_GAMMA));
  }
}
