// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A time that runs out.
 *
 * @param length how long it is
 * @param stopwatch what has passed of it
 */
record Countdown(Duration length, Supplier<Duration> stopwatch) {

  Duration sofar() {
    return stopwatch.get();
  }

  /** Nothing when it is over. */
  Duration left() {
    Duration rest = length.minus(sofar());
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  boolean isOver() {
    return left().isZero();
  }

  /** So long, or what is left when that is less. */
  Duration atMost(Duration wish) {
    Duration rest = left();
    return wish.compareTo(rest) < 0 ? wish : rest;
  }
}
