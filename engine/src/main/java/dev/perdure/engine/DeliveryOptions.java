// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static java.util.Objects.requireNonNull;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;

/**
 * How a node sends deliveries.
 *
 * @param policy when a failed delivery is retried
 * @param concurrency how many are sent at once on this node
 * @param lease how long a claimed delivery belongs to this node. The node extends it while it
 *     sends, so it is how long a delivery waits when its node dies
 * @param sendTimeout how long a sender may take before it is interrupted
 */
public record DeliveryOptions(
    RetryPolicy policy, int concurrency, Duration lease, Duration sendTimeout) {

  public static final int MAX_CONCURRENCY = 1_000;

  private static final Duration MIN_DURATION = Duration.ofSeconds(1);

  /**
   * Eight attempts. The seventh retry is due at most 5.9 days after the first failure, and 2.9 days
   * on average.
   */
  public static final RetryPolicy DEFAULT_POLICY =
      RetryPolicy.exponential(Duration.ofSeconds(30))
          .multiplier(5)
          .maxDelay(Duration.ofHours(108))
          .maxRetries(7)
          .jitter(Jitter.full())
          .build();

  /** {@link #DEFAULT_POLICY}, 64 at once, leases of 20 seconds, two minutes to send. */
  public static final DeliveryOptions DEFAULT =
      new DeliveryOptions(DEFAULT_POLICY, 64, Duration.ofSeconds(20), Duration.ofMinutes(2));

  public DeliveryOptions {
    requireNonNull(policy, "policy");
    if (isDecorrelated(policy)) {
      throw new IllegalArgumentException(
          "jitter: must not be \"decorrelated\", because deliveries do not store their"
              + " previous delay; use \"full\"");
    }
    if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
      throw new IllegalArgumentException(
          "concurrency: must be 1 to " + MAX_CONCURRENCY + ", not " + concurrency);
    }
    requireLength("lease", lease);
    requireLength("sendTimeout", sendTimeout);
  }

  private static boolean isDecorrelated(RetryPolicy policy) {
    return policy.jitter() instanceof Jitter.Decorrelated
        || policy.overrides().stream()
            .anyMatch(override -> override.jitter() instanceof Jitter.Decorrelated);
  }

  private static void requireLength(String name, Duration length) {
    if (length.compareTo(MIN_DURATION) < 0) {
      throw new IllegalArgumentException(name + ": must be 1 s or more, not " + length);
    }
  }

  public DeliveryOptions withPolicy(RetryPolicy value) {
    return new DeliveryOptions(value, concurrency, lease, sendTimeout);
  }

  public DeliveryOptions withConcurrency(int value) {
    return new DeliveryOptions(policy, value, lease, sendTimeout);
  }

  public DeliveryOptions withLease(Duration value) {
    return new DeliveryOptions(policy, concurrency, value, sendTimeout);
  }

  public DeliveryOptions withSendTimeout(Duration value) {
    return new DeliveryOptions(policy, concurrency, lease, value);
  }
}
