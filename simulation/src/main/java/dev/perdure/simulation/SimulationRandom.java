// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Everything left to chance, from one seed. */
final class SimulationRandom {

  private final SplittableRandom random;

  SimulationRandom(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A source of its own for somebody else. */
  RandomGenerator split() {
    return random.split();
  }

  boolean oneIn(int many) {
    return random.nextInt(many) == 0;
  }

  boolean percent(int share) {
    return random.nextInt(100) < share;
  }

  /** Both ends may come. */
  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  Duration millis(int least, int most) {
    return Duration.ofMillis(between(least, most));
  }

  Duration seconds(int least, int most) {
    return Duration.ofMillis(between(least * 1000, most * 1000));
  }

  <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
