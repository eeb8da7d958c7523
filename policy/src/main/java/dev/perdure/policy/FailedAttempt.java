// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt that the policy wants to retry. Times are relative to now, because the reader
 * may have a different clock.
 *
 * @param number the number of the attempt, counted from 0
 * @param thrown the exception that it threw; null if its result counts as a failure
 * @param startedAgo how long ago it started
 * @param endedAgo how long ago it failed
 * @param delay the delay between its end and the next attempt
 */
public record FailedAttempt(
    long number,
    Failure failure,
    @Nullable Throwable thrown,
    Duration startedAgo,
    Duration endedAgo,
    Duration delay) {

  public FailedAttempt {
    requireNonNull(failure, "failure");
    if (number < 0) {
      throw new IllegalArgumentException("number: must be 0 or more, not " + number);
    }
    if (delay.isNegative() || endedAgo.isNegative() || startedAgo.compareTo(endedAgo) < 0) {
      throw new IllegalArgumentException(
          "delay and endedAgo must not be negative, and startedAgo must be at least endedAgo; startedAgo %s, endedAgo %s, delay %s"
              .formatted(startedAgo, endedAgo, delay));
    }
  }
}
