// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What the server takes from the world around it.
 *
 * @param clock for what is shown; nothing is decided by it
 * @param monotonic time that never goes back
 * @param random makes names and ids
 */
public record Surroundings(
    InstantSource clock, Supplier<Duration> monotonic, RandomGenerator random) {

  /** The real ones. */
  public static Surroundings system() {
    long origin = System.nanoTime();
    return new Surroundings(
        Instant::now, () -> Duration.ofNanos(System.nanoTime() - origin), new SecureRandom());
  }
}
