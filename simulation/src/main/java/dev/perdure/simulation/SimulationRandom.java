// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The random source of a run. */
final class SimulationRandom {

  private final SplittableRandom random;

  SimulationRandom(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Creates an independent random source. */
  RandomGenerator split() {
    return random.split();
  }

  boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }

  boolean percent(int share) {
    return random.nextInt(100) < share;
  }

  /** Returns a number from {@code min} to {@code max}, both included. */
  int between(int min, int max) {
    return random.nextInt(min, max + 1);
  }

  Duration millis(int min, int max) {
    return Duration.ofMillis(between(min, max));
  }

  Duration seconds(int min, int max) {
    return Duration.ofMillis(between(min * 1000, max * 1000));
  }

  <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
