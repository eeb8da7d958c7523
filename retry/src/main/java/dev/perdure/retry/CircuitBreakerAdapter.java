// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;

/**
 * Connects a circuit breaker of another library. It is asked before every attempt and notified of
 * the result. If it does not allow an attempt, the attempt fails with a {@link
 * CircuitOpenException}, and the policy decides whether to retry. Exceptions from the notification
 * methods are logged and ignored.
 */
@FunctionalInterface
public interface CircuitBreakerAdapter {

  /** Returns true if an attempt may start now. A breaker with permits takes one. */
  boolean tryAcquirePermit();

  /** Called after a successful attempt. */
  default void onSuccess(Duration took) {}

  /**
   * Called after a failed attempt, with a {@link RejectedResultException} if its result was
   * rejected.
   */
  default void onFailure(Duration took, Throwable failure) {}

  /**
   * Called after an attempt was interrupted or canceled from outside, which says nothing about the
   * service. A breaker with permits takes the permit back.
   */
  default void releasePermit() {}

  /** Returns how long the circuit stays open, if known. The policy treats it like a Retry-After. */
  default Optional<Duration> remainingOpenTime() {
    return Optional.empty();
  }
}
