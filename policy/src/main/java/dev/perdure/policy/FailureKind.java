// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.Locale;
import java.util.Optional;

/** The kind of a failure. */
public enum FailureKind {
  /** The work did not finish in time. */
  TIMEOUT,
  /**
   * The webhook that starts a task failed. The failure carries the HTTP status if there was one.
   */
  WEBHOOK_FAILURE,
  /** The work reported the failure itself. */
  EXPLICIT,
  /** The work threw an exception. */
  EXCEPTION,
  /** An in-process HTTP call failed. */
  HTTP;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the name in JSON and in matchers, such as {@code webhook_failure}. */
  public String text() {
    return text;
  }

  /** Returns the kind with this name, if there is one. */
  public static Optional<FailureKind> of(String text) {
    for (FailureKind kind : values()) {
      if (kind.text.equals(text)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
