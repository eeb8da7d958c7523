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
  BUDGET,
  /** The thread was interrupted while it waited. */
  INTERRUPTED;

  static StopReason of(GiveUpReason reason) {
    return switch (reason) {
      case NO_POLICY -> NO_POLICY;
      case NOT_RETRYABLE -> NOT_RETRYABLE;
      case EXHAUSTED -> EXHAUSTED;
      case EXPIRED -> EXPIRED;
    };
  }
}
