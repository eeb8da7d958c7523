// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.util.Locale;

/** How a call to the world outside went. */
public enum DeliveryOutcome {
  SENT,
  /** It failed, and is tried again. */
  FAILED,
  /** It failed, and is given up. */
  DEAD;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
