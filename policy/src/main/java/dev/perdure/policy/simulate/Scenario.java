// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;

/**
 * A service, its clients and an outage. Requests arrive at random, {@code load × capacity} per
 * second, each from one of the clients. The service processes them first come, first served,
 * including those that clients have given up on.
 *
 * @param clients the number of independent clients, each with its own retry budget
 * @param capacity requests per second that the service can process
 * @param load the share of the capacity that new requests use, without retries
 * @param outage how long the service is down
 * @param remaining the share of the capacity that is left in the outage; 0 is a full stop
 * @param timeout how long a client waits for an answer to one attempt
 * @param horizon how long to observe the service after the outage
 * @param budget retries allowed per request, such as 0.1, in the run with a budget
 * @param seed the seed of all randomness: the same seed gives the same report
 */
public record Scenario(
    int clients,
    int capacity,
    double load,
    Duration outage,
    double remaining,
    Duration timeout,
    Duration horizon,
    double budget,
    long seed) {

  /**
   * 1,000 clients, 60 % of 1,000 requests per second, 10 s at a fifth of the capacity, observed for
   * 2 minutes.
   */
  public static final Scenario DEFAULT =
      new Scenario(
          1_000,
          1_000,
          0.6,
          Duration.ofSeconds(10),
          0.2,
          Duration.ofSeconds(1),
          Duration.ofMinutes(2),
          0.1,
          42);

  /** Returns when the outage begins, counted from the start of the run. */
  public Duration outageStart() {
    return OutageSimulation.WARM_UP;
  }

  /** Returns when the outage ends, counted from the start of the run. */
  public Duration outageEnd() {
    return outageStart().plus(outage);
  }
}
