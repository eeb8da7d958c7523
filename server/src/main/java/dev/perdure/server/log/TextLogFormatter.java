// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.util.Locale;

/** Writes a log line for people: time, level, logger, message, fields, and the stack below it. */
final class TextLogFormatter {

  private static final String TRACE = "trace_id";

  private TextLogFormatter() {}

  static String format(LogLine line) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s %-5s %s: %s",
            line.time(),
            line.level(),
            simpleName(line.logger()),
            oneLine(line.message())));
    line.fields().forEach((key, value) -> appendField(text, key, value));
    if (line.stack() != null) {
      line.stack().lines().forEach(each -> text.append("\n  ").append(escaped(each, "\t")));
    }
    return text.append('\n').toString();
  }

  private static void appendField(StringBuilder text, String key, Object value) {
    // Only programs that join logs and traces use the trace id, and it makes lines long.
    if (!key.equals(TRACE)) {
      text.append(' ').append(oneLine(key)).append('=').append(oneLine(value.toString()));
    }
  }

  private static String simpleName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  /** Escapes line breaks, so that text from outside cannot pass for a line of ours. */
  private static String oneLine(String text) {
    return escaped(text, "");
  }

  private static String escaped(String text, String allowed) {
    StringBuilder line = new StringBuilder(text.length());
    text.chars()
        .forEach(
            c -> {
              boolean control = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
              if (control && allowed.indexOf(c) < 0) {
                line.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                line.append((char) c);
              }
            });
    return line.toString();
  }
}
