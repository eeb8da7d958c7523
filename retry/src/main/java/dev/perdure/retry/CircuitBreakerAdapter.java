// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;

/**
 * The seam for a circuit breaker: asked before every attempt, told how it ended. An attempt that it
 * does not allow fails with a {@link CircuitOpenException} and the policy decides about the next.
 * What it throws when it is told is logged and changes nothing.
 */
@FunctionalInterface
public interface CircuitBreakerAdapter {

  /** Whether an attempt may go now; a breaker that hands out permits takes one. */
  boolean tryAcquirePermit();

  /** An attempt went well. */
  default void onSuccess(Duration took) {}

  /** An attempt failed; with a {@link RejectedResultException} when its result was refused. */
  default void onFailure(Duration took, Throwable failure) {}

  /**
   * An attempt was interrupted or cancelled from outside, which says nothing about the service. A
   * breaker that hands out permits takes it back.
   */
  default void releasePermit() {}

  /** How long it will stay open, when that is known; the policy treats it as a Retry-After. */
  default Optional<Duration> remainingOpenTime() {
    return Optional.empty();
  }
}
