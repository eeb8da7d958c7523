// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How a lease ended. */
public enum AttemptOutcome {
  SUCCESS,
  FAILURE,
  LOST,
  HANDED_BACK,
  SNOOZED,
  CANCELED,
  /** An operator marked the failed task as succeeded; no worker held a lease. */
  RESOLVED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<AttemptOutcome> of(String text) {
    return Stream.of(values()).filter(outcome -> outcome.text().equals(text)).findFirst();
  }
}
