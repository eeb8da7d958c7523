// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;

/**
 * How a node renews its lease.
 *
 * @param renewInterval how often the node renews its row
 * @param validity how long the row is valid after a renewal
 * @param stopAfter how long without a renewal until the node stops its own work
 * @param steadyTimeBeforeReaping how long a node must have held its row without a gap before it may
 *     declare other nodes dead or their attempts inactive. After a database outage this gives every
 *     node the time to come back, hand back what it held and send heartbeats
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
      throw new IllegalArgumentException(
          "renewInterval: must be more than 0, not " + renewInterval);
    }
    if (steadyTimeBeforeReaping.isNegative()) {
      throw new IllegalArgumentException(
          "steadyTimeBeforeReaping: must not be negative, not " + steadyTimeBeforeReaping);
    }
    if (renewInterval.compareTo(stopAfter) >= 0 || stopAfter.compareTo(validity) >= 0) {
      throw new IllegalArgumentException(
          "renewInterval: must be less than stopAfter, and stopAfter less than validity, not "
              + renewInterval
              + ", "
              + stopAfter
              + ", "
              + validity);
    }
  }
}
