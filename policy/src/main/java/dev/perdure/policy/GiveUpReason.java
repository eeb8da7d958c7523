// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.Locale;

/** Why there is no further retry. */
public enum GiveUpReason {
  /** There is no policy, or one that never retries. */
  NO_POLICY,
  /** The failure is permanent, or of a sort that the policy does not retry. */
  NOT_RETRYABLE,
  /** All retries are used up. */
  EXHAUSTED,
  /** The next retry would come after the expiry. */
  EXPIRED;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** The word for it in JSON and in the database, such as {@code not_retryable}. */
  public String text() {
    return text;
  }
}
