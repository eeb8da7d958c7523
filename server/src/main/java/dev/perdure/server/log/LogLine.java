// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.perdure.policy.InstantText;
import dev.perdure.server.redact.Redaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * One log event with its secrets redacted and its texts cut to a maximum length.
 *
 * @param time in UTC with milliseconds; always the same length, so lines sort as text
 * @param fields numbers and texts: first the event's own key-value pairs in their order, then the
 *     MDC's entries whose key the event does not set itself
 * @param stack the stack trace; null when nothing was thrown
 */
record LogLine(
    String time,
    String level,
    String logger,
    String message,
    Map<String, Object> fields,
    @Nullable String stack) {

  private static final int MAX_LENGTH = 10_000;
  private static final int MAX_STACK_LENGTH = 50_000;

  /** The order of the engine's MDC keys; Logback keeps the MDC in no order. */
  private static final List<String> FIRST_MDC_KEYS =
      List.of("node", "task", "batch", "kind", "attempt", "delivery", "trigger");

  /** The MDC holds texts only; these are numbers, as they are in lines of the engine itself. */
  private static final Set<String> NUMERIC_MDC_KEYS = Set.of("attempt");

  static LogLine of(ILoggingEvent event) {
    return new LogLine(
        String.valueOf(InstantText.of(event.getInstant())),
        event.getLevel().toString(),
        event.getLoggerName(),
        redacted(String.valueOf(event.getFormattedMessage())),
        fields(event),
        stack(event.getThrowableProxy()));
  }

  private static Map<String, Object> fields(ILoggingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> fields.put(pair.key, value(pair.value)));
    }
    Map<String, String> context = new TreeMap<>(event.getMDCPropertyMap());
    FIRST_MDC_KEYS.forEach(key -> addContext(fields, key, context.remove(key)));
    context.forEach((key, value) -> addContext(fields, key, value));
    return fields;
  }

  private static void addContext(Map<String, Object> fields, String key, @Nullable String value) {
    if (value != null) {
      fields.putIfAbsent(key, NUMERIC_MDC_KEYS.contains(key) ? number(value) : redacted(value));
    }
  }

  private static Object number(String value) {
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException setByAHandler) {
      return redacted(value);
    }
  }

  private static Object value(@Nullable Object value) {
    boolean whole = value instanceof Integer || value instanceof Long;
    return value != null && whole ? value : redacted(String.valueOf(value));
  }

  private static @Nullable String stack(@Nullable IThrowableProxy thrown) {
    return thrown == null
        ? null
        : truncated(Redaction.text(ThrowableProxyUtil.asString(thrown)), MAX_STACK_LENGTH);
  }

  private static String redacted(String text) {
    return truncated(Redaction.text(text), MAX_LENGTH);
  }

  private static String truncated(String text, int maxLength) {
    return text.length() <= maxLength ? text : text.substring(0, maxLength) + "…";
  }
}
