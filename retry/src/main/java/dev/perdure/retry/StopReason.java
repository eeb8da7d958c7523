// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import dev.perdure.policy.GiveUpReason;

/** Why a call was not tried again. */
public enum StopReason {
  /** The policy never retries. */
  NO_POLICY,
  /** The failure is not one to retry. */
  NOT_RETRYABLE,
  /** All retries are used up. */
  EXHAUSTED,
  /** The next retry would come after the policy's expiry. */
  EXPIRED,
  /** The next retry would come after the time limit of the call. */
  TIME_LIMIT,
  /** The retry budget is used up. */
  BUDGET_EXHAUSTED,
  /** The retries that the process makes are used up; only a {@link DurableRetry} has such. */
  IN_PROCESS_LIMIT,
  /** It goes on elsewhere, as a task: see {@link HandedOverException}. */
  HANDED_OVER,
  /** The thread was interrupted, in an attempt or between two. */
  INTERRUPTED,
  /** An attempt was cancelled, which says nothing about the work. */
  CANCELED,
  /**
   * What should decide about the next attempt or wait for it, such as a predicate or a timer, threw
   * an exception itself. It is logged, and suppressed in the failure that is thrown.
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
