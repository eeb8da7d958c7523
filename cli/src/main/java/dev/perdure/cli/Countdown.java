// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A time limit.
 *
 * @param length the whole time
 * @param stopwatch the time that has passed
 */
record Countdown(Duration length, Supplier<Duration> stopwatch) {

  Duration elapsed() {
    return stopwatch.get();
  }

  /** Zero when the time is up. */
  Duration remaining() {
    Duration rest = length.minus(elapsed());
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  boolean isExpired() {
    return remaining().isZero();
  }

  /** This duration, or the remaining time when that is shorter. */
  Duration atMost(Duration duration) {
    Duration rest = remaining();
    return duration.compareTo(rest) < 0 ? duration : rest;
  }
}
