// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.FieldError;
import java.util.Locale;
import org.slf4j.event.Level;

/** Parses log levels. */
final class LogLevelParser {

  private LogLevelParser() {}

  static Level parse(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "error" -> Level.ERROR;
      case "warn" -> Level.WARN;
      case "info" -> Level.INFO;
      case "debug" -> Level.DEBUG;
      default ->
          throw new IllegalArgumentException(
              "must be error, warn, info or debug, not '%s'".formatted(FieldError.sanitize(text)));
    };
  }
}
