// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.Locale;

/** How a service with these clients comes out of an outage. */
public enum StabilityVerdict {
  /** It recovers, even from an outage four times as long. */
  STABLE,
  /** It recovers from this outage, but not from one four times as long. */
  VULNERABLE,
  /**
   * It does not recover within the horizon, although the cause is gone: the retries keep it down.
   */
  METASTABLE;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the name in JSON, such as {@code metastable}. */
  public String text() {
    return text;
  }
}
