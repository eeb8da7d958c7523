// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.util.Optional;

/**
 * The seam for a circuit breaker: asked before every attempt, told how it ended. An attempt that it
 * does not allow fails with a {@link CircuitOpenException} and the policy decides about the next.
 */
@FunctionalInterface
public interface Breaker {

  /** Whether an attempt may go now; a breaker that hands out permits takes one. */
  boolean allows();

  /** An attempt went well. */
  default void succeeded(Duration took) {}

  /** An attempt failed. */
  default void failed(Duration took, Throwable failure) {}

  /** How long it will stay open, when that is known; the policy treats it as a Retry-After. */
  default Optional<Duration> opensIn() {
    return Optional.empty();
  }
}
