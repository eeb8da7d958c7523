// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.Failure;

/**
 * Reports a result that counts as a failure. A {@link CircuitBreakerAdapter} receives it. The
 * caller receives the result itself instead, unless a hand-over was due and failed.
 */
public final class RejectedResultException extends RuntimeException {

  private final transient Failure failure;

  RejectedResultException(Failure failure) {
    super("the result was rejected: " + failure, null, true, false);
    this.failure = failure;
  }

  /** Returns the failure that the result counts as. */
  public Failure failure() {
    return failure;
  }
}
