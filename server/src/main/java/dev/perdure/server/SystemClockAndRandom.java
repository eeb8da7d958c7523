// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The clocks and the random source of this machine. The only class of the server that reads a clock
 * or creates a random source; everything else gets them as parameters.
 */
public final class SystemClockAndRandom {

  private SystemClockAndRandom() {}

  /**
   * The time of day: to show, and to refuse policies that have expired. The store's clock decides
   * everything about tasks.
   */
  public static InstantSource clock() {
    return Instant::now;
  }

  /** The time since this call, which never goes back. */
  public static Supplier<Duration> monotonic() {
    long origin = System.nanoTime();
    return () -> Duration.ofNanos(System.nanoTime() - origin);
  }

  /** Cryptographically strong. */
  public static RandomGenerator random() {
    return new SecureRandom();
  }
}
