// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;

/** How an outgoing call ended, after the retry policy decided about a failure. */
public enum DeliveryOutcome {
  SENT,
  /** It failed and will be retried. */
  FAILED,
  /** It failed and was given up. */
  DEAD,
  /** It was not sent; the same attempt comes later. */
  DEFERRED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
