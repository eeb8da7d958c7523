// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.util.Locale;

/**
 * What a {@link Rollup} counts. The order is that of the stored numbers, so only add at the end.
 */
public enum RollupCounter {
  /** Tasks that were submitted. */
  SUBMITTED,
  /** Attempts that started, retries included. */
  STARTED,
  /** Attempts that succeeded. */
  SUCCEEDED,
  /** Attempts that failed. */
  FAILED,
  /** Retries that started. */
  RETRIED,
  /** Tasks that failed for good. */
  GAVE_UP,
  /** Attempts whose worker was lost. */
  LOST,
  /** Deliveries that arrived; not counted by kind. */
  DELIVERED,
  /** Deliveries that were given up; not counted by kind. */
  UNDELIVERED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
