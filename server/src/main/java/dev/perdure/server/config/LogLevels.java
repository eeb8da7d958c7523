// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.config;

import dev.perdure.policy.Problem;
import java.util.Locale;
import org.slf4j.event.Level;

/** How bad something must be to be logged. */
final class LogLevels {

  private LogLevels() {}

  static Level parse(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "error" -> Level.ERROR;
      case "warn" -> Level.WARN;
      case "info" -> Level.INFO;
      case "debug" -> Level.DEBUG;
      default ->
          throw new IllegalArgumentException(
              "must be error, warn, info or debug, not '%s'".formatted(Problem.quotable(text)));
    };
  }
}
