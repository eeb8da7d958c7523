// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/** One logger. It hands lines on with their keys apart, so that programs need not look for them. */
final class Slf4jLogger extends LegacyAbstractLogger implements LoggingEventAware {

  private static final long serialVersionUID = 1;

  private final Level threshold;

  Slf4jLogger(String name) {
    this.name = name;
    this.threshold = LoggerThresholds.threshold(name);
  }

  @Override
  public void log(LoggingEvent event) {
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    write(
        event.getLevel(),
        text(event.getMessage(), event.getArgumentArray()),
        pairs == null ? List.of() : pairs,
        event.getThrowable());
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    write(level, text(message, arguments), List.of(), thrown);
  }

  private static String text(@Nullable String message, Object @Nullable [] arguments) {
    return String.valueOf(MessageFormatter.basicArrayFormat(message, arguments));
  }

  private void write(
      Level level, String message, List<KeyValuePair> pairs, @Nullable Throwable thrown) {
    LogOutput.current().write(level, name, message, pairs, thrown);
  }

  private boolean isEnabled(Level level) {
    return level.toInt() >= threshold.toInt() && LogOutput.current().isEnabled(level);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  public boolean isTraceEnabled() {
    return isEnabled(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return isEnabled(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return isEnabled(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return isEnabled(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return isEnabled(Level.ERROR);
  }
}
