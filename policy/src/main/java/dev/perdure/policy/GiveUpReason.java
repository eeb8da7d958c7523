// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.Locale;

/** Why a policy does not retry. */
public enum GiveUpReason {
  /** There is no policy, or the policy never retries. */
  NO_POLICY,
  /** The failure is permanent, or the policy does not retry this failure. */
  NOT_RETRYABLE,
  /** No retries are left. */
  EXHAUSTED,
  /** The next retry would start after the expiry. */
  EXPIRED;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the name in JSON and in the database, such as {@code not_retryable}. */
  public String text() {
    return text;
  }
}
