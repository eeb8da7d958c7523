// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import java.util.Locale;

/** How the log is written. */
public enum LogFormat {
  /** A line a message, for people. */
  TEXT,
  /** An object a line, for programs. */
  JSON;

  static LogFormat parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "text" -> TEXT;
      case "json" -> JSON;
      default ->
          throw new IllegalArgumentException(
              "must be text or json, not '%s'".formatted(FieldError.sanitize(text)));
    };
  }
}
