// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that failed and was to be followed by another. Its instants are lengths of time before
 * now, since whoever reads it may have another clock.
 *
 * @param number counted from 0
 * @param thrown what it threw; null when its result was the failure
 * @param startedAgo how long ago it began
 * @param endedAgo how long ago it failed
 * @param delay how long after its end the policy wanted the next one
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
          "impossible: started %s ago, ended %s ago, delay %s"
              .formatted(startedAgo, endedAgo, delay));
    }
  }
}
