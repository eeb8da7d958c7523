// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import java.util.Locale;

/** The format of log lines. */
public enum LogFormat {
  /** Lines for people. */
  TEXT,
  /** One JSON object per line, for programs. */
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
