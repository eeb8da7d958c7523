// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;

/**
 * A service, its clients and an outage. Requests arrive at random at {@code load × capacity} per
 * second, each from one of the clients; the service works through them first come, first served,
 * and does not know which ones nobody waits for any more.
 *
 * @param clients independent clients, each with a retry budget of its own
 * @param capacity requests the service can do per second
 * @param load the share of the capacity that new requests use, without any retry
 * @param outage how long the service is down
 * @param remaining the share of its capacity that it keeps in the outage; 0 is a full stop
 * @param timeout how long a client waits for an answer to one attempt
 * @param horizon how long to watch after the outage
 * @param budget retries allowed per request, such as 0.1, in the run with a budget
 * @param seed everything random comes from it: the same seed gives the same report
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

  /** 1,000 clients at 60 % of 1,000 requests per second, 10 s at a fifth, watched for 2 minutes. */
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

  /** When the outage begins, counted from the start of the run. */
  public Duration outageStart() {
    return OutageSimulation.WARM_UP;
  }

  /** When the outage ends, counted from the start of the run. */
  public Duration outageEnd() {
    return outageStart().plus(outage);
  }
}
