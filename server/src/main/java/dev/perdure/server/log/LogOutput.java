// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import dev.perdure.server.config.LogFormat;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

/**
 * Where lines go. There is one for the process, since SLF4J knows no other; it writes text until
 * somebody says otherwise, for what is logged before the configuration is read.
 */
public final class LogOutput {

  private static final int MAX_LENGTH = 10_000;
  private static final int MAX_STACK_LENGTH = 50_000;

  private static volatile LogOutput current =
      new LogOutput(LogFormat.TEXT, Level.INFO, () -> System.err, Instant::now);

  private final LogFormat format;
  private final Level threshold;
  private final Supplier<PrintStream> stream;
  private final InstantSource clock;

  LogOutput(LogFormat format, Level least, Supplier<PrintStream> stream, InstantSource clock) {
    this.format = format;
    this.threshold = least;
    this.stream = stream;
    this.clock = clock;
  }

  static LogOutput current() {
    return current;
  }

  /** How the lines of this process look from now on, and how bad they must be. */
  public static void use(LogFormat format, Level least) {
    current = new LogOutput(format, least, current.stream, current.clock);
  }

  /** Where the lines of this process go from now on. */
  public static void use(Supplier<PrintStream> stream) {
    current = new LogOutput(current.format, current.threshold, stream, current.clock);
  }

  boolean isEnabled(Level level) {
    return level.toInt() >= threshold.toInt();
  }

  void write(
      Level level,
      String logger,
      String message,
      List<KeyValuePair> pairs,
      @Nullable Throwable thrown) {
    Map<String, Object> keys = new LinkedHashMap<>();
    pairs.forEach(pair -> keys.put(pair.key, value(pair.value)));
    LogLine line =
        new LogLine(
            clock.instant(),
            level,
            logger,
            redacted(message),
            keys,
            thrown == null
                ? null
                : truncated(SecretRedactor.redact(stack(thrown)), MAX_STACK_LENGTH));
    String text =
        switch (format) {
          case TEXT -> TextLogFormatter.of(line);
          case JSON -> JsonLogFormatter.of(line);
        };
    print(text.getBytes(StandardCharsets.UTF_8));
  }

  /** UTF-8 whatever the locale says, and a line in one piece whoever else writes. */
  private void print(byte[] bytes) {
    PrintStream out = stream.get();
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  /** A number that is a number to programs too, or what may be shown of anything else. */
  private static Object value(@Nullable Object value) {
    boolean whole = value instanceof Integer || value instanceof Long;
    return value != null && whole ? value : redacted(String.valueOf(value));
  }

  private static String redacted(String text) {
    return truncated(SecretRedactor.redact(text), MAX_LENGTH);
  }

  private static String truncated(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "…";
  }

  private static String stack(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
