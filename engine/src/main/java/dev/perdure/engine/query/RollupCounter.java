// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.util.Locale;

/** What a {@link Rollup} counts. */
public enum RollupCounter {
  /** Tasks that were submitted. */
  SUBMITTED(0),
  /** Attempts that started, retries included. */
  STARTED(1),
  /** Attempts that succeeded. */
  SUCCEEDED(2),
  /** Attempts that failed. */
  FAILED(3),
  /** Retries that started. */
  RETRIED(4),
  /** Tasks that failed for good. */
  GAVE_UP(5),
  /** Attempts whose worker was lost. */
  LOST(6),
  /** Deliveries that arrived; not counted by kind. */
  DELIVERED(7),
  /** Deliveries that were given up; not counted by kind. */
  UNDELIVERED(8);

  private final int position;

  RollupCounter(int position) {
    this.position = position;
  }

  /** Where it stands among the stored numbers; must not change. */
  public int position() {
    return position;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
