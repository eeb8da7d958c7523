// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A time that runs out.
 *
 * @param length how long it is
 * @param stopwatch what has passed of it
 */
record Countdown(Duration length, Supplier<Duration> stopwatch) {

  Duration elapsed() {
    return stopwatch.get();
  }

  /** Nothing when it is over. */
  Duration remaining() {
    Duration rest = length.minus(elapsed());
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  boolean isExpired() {
    return remaining().isZero();
  }

  /** So long, or what is left when that is less. */
  Duration atMost(Duration wish) {
    Duration rest = remaining();
    return wish.compareTo(rest) < 0 ? wish : rest;
  }
}
