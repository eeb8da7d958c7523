// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.GiveUpReason;

/** Why a call is not retried. */
public enum StopReason {
  /** The policy never retries. */
  NO_POLICY,
  /** The policy does not retry this failure. */
  NOT_RETRYABLE,
  /** No retries are left. */
  EXHAUSTED,
  /** The next retry would start after the policy's expiry. */
  EXPIRED,
  /** The next retry would start after the time limit of the call. */
  TIME_LIMIT,
  /** The retry budget has no tokens left. */
  BUDGET_EXHAUSTED,
  /** The in-process retries of a {@link DurableRetry} are used up. */
  IN_PROCESS_LIMIT,
  /** The call continues as a task: see {@link HandedOverException}. */
  HANDED_OVER,
  /** The thread was interrupted, in an attempt or between attempts. */
  INTERRUPTED,
  /** An attempt was canceled, which says nothing about the service. */
  CANCELED,
  /**
   * A callback that decides about the next attempt or waits for it, such as a predicate or a timer,
   * threw an exception. That exception is logged and suppressed in the failure that is thrown.
   */
  INTERNAL_ERROR;

  static StopReason of(GiveUpReason reason) {
    return switch (reason) {
      case NO_POLICY -> NO_POLICY;
      case NOT_RETRYABLE -> NOT_RETRYABLE;
      case EXHAUSTED -> EXHAUSTED;
      case EXPIRED -> EXPIRED;
    };
  }
}
