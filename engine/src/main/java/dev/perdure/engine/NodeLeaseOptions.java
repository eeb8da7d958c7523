// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;

/**
 * How a node keeps its row alive.
 *
 * @param renewInterval how often the row is renewed
 * @param validity how long it is valid
 * @param stopAfter how long without a renewal until the node stops its own work
 * @param steadyTimeBeforeReaping how long a node must have held its row without a break before it
 *     may call others dead or silent: after an outage of the database everybody gets the time to
 *     come back, hand back what was held and be heard
 */
public record NodeLeaseOptions(
    Duration renewInterval,
    Duration validity,
    Duration stopAfter,
    Duration steadyTimeBeforeReaping) {

  public static final NodeLeaseOptions DEFAULT =
      new NodeLeaseOptions(
          Duration.ofSeconds(5),
          Duration.ofSeconds(25),
          Duration.ofSeconds(15),
          Duration.ofSeconds(10));

  public NodeLeaseOptions {
    if (!renewInterval.isPositive()) {
      throw new IllegalArgumentException("renewEvery: must be positive, not " + renewInterval);
    }
    if (steadyTimeBeforeReaping.isNegative()) {
      throw new IllegalArgumentException(
          "steadyBeforeReaping: must not be negative, not " + steadyTimeBeforeReaping);
    }
    if (renewInterval.compareTo(stopAfter) >= 0 || stopAfter.compareTo(validity) >= 0) {
      throw new IllegalArgumentException(
          "must be renewEvery < stopAfter < validity, not "
              + renewInterval
              + ", "
              + stopAfter
              + ", "
              + validity);
    }
  }
}
