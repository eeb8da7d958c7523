// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;

/**
 * A result counted as a failure. A {@link CircuitBreakerAdapter} sees it; the caller gets the
 * result instead, unless it was to be handed over and could not be.
 */
public final class RejectedResultException extends RuntimeException {

  private final transient Failure failure;

  RejectedResultException(Failure failure) {
    super("the result was refused: " + failure, null, true, false);
    this.failure = failure;
  }

  /** What was wrong with the result. */
  public Failure failure() {
    return failure;
  }
}
