// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How a run of a batch ended. */
public enum BatchOutcome {
  /** All its tasks succeeded. */
  SUCCESS,
  /** One of its tasks failed. */
  FAILURE,
  /** None of its tasks failed, but one was canceled. */
  CANCELED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<BatchOutcome> of(String text) {
    return Stream.of(values()).filter(outcome -> outcome.text().equals(text)).findFirst();
  }
}
