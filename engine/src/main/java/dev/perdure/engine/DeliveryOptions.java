// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;

/**
 * How a node delivers.
 *
 * @param policy when a delivery that failed is tried again
 * @param concurrency how many are under way at once on this node
 * @param lease how long a delivery is this node's; it must be longer than a courier takes, and is
 *     how long a delivery waits when its node dies
 */
public record DeliveryOptions(RetryPolicy policy, int concurrency, Duration lease) {

  public static final int MOST_CONCURRENCY = 1_000;

  /**
   * Eight attempts. The seventh retry is due 5.9 days after the first failure at the latest, and
   * 2.9 days on average.
   */
  public static final RetryPolicy POLICY =
      RetryPolicy.exponential(Duration.ofSeconds(30))
          .multiplier(5)
          .maxDelay(Duration.ofHours(108))
          .maxRetries(7)
          .jitter(Jitter.full())
          .build();

  /** {@link #POLICY}, 64 at once, two minutes. */
  public static final DeliveryOptions DEFAULT =
      new DeliveryOptions(POLICY, 64, Duration.ofMinutes(2));

  public DeliveryOptions {
    requireNonNull(policy, "policy");
    if (concurrency < 1 || concurrency > MOST_CONCURRENCY) {
      throw new IllegalArgumentException(
          "concurrency: must be 1 to " + MOST_CONCURRENCY + ", not " + concurrency);
    }
    if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("lease: must be 1 s or more, not " + lease);
    }
  }

  public DeliveryOptions withPolicy(RetryPolicy value) {
    return new DeliveryOptions(value, concurrency, lease);
  }

  public DeliveryOptions withConcurrency(int value) {
    return new DeliveryOptions(policy, value, lease);
  }

  public DeliveryOptions withLease(Duration value) {
    return new DeliveryOptions(policy, concurrency, value);
  }
}
