// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.Locale;
import java.util.Optional;

/** What sort of thing went wrong. */
public enum FailureKind {
  /** Nobody answered in time. */
  TIMEOUT,
  /** The call that starts a task's work failed, with a status when there was one. */
  WEBHOOK_FAILURE,
  /** The work itself said that it failed. */
  EXPLICIT,
  /** The work threw. */
  EXCEPTION,
  /** An HTTP call made in this process failed. */
  HTTP;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** The word for it in JSON and in matchers, such as {@code webhook_failure}. */
  public String text() {
    return text;
  }

  /** The kind that this word stands for, if any. */
  public static Optional<FailureKind> of(String text) {
    for (FailureKind kind : values()) {
      if (kind.text.equals(text)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
