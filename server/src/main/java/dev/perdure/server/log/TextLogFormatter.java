// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.util.Locale;

/** Writes a message for people: when, how bad, from whom, what, and what it is about. */
final class TextLogFormatter {

  private static final String TRACE = "trace_id";

  private TextLogFormatter() {}

  static String of(LogLine line) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s %-5s %s: %s",
            LogTime.of(line.time()),
            line.level(),
            shortened(line.logger()),
            oneLine(line.message())));
    line.fields().forEach((key, value) -> key(text, key, value));
    if (line.stack() != null) {
      line.stack().lines().forEach(each -> text.append("\n  ").append(plain(each, "\t")));
    }
    return text.append('\n').toString();
  }

  private static void key(StringBuilder text, String key, Object value) {
    // For programs that put logs and traces together; nobody reads it, and it is long.
    if (!key.equals(TRACE)) {
      text.append(' ').append(key).append('=').append(oneLine(value.toString()));
    }
  }

  private static String shortened(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  /** What somebody else wrote must not look like a line of ours. */
  private static String oneLine(String text) {
    return plain(text, "");
  }

  private static String plain(String text, String harmless) {
    StringBuilder line = new StringBuilder(text.length());
    text.chars()
        .forEach(
            c -> {
              boolean control = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
              if (control && harmless.indexOf(c) < 0) {
                line.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                line.append((char) c);
              }
            });
    return line.toString();
  }
}
