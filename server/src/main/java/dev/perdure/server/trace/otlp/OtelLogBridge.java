// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import java.util.Arrays;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes the SDK's messages, which go to the JDK's logging, to our log. */
final class OtelLogBridge extends Handler {

  /** In a field, because the JDK drops unreferenced loggers together with their handlers. */
  private static final Logger SDK = Logger.getLogger("io.opentelemetry");

  private static final SimpleFormatter FORMATTER = new SimpleFormatter();

  private OtelLogBridge() {}

  static synchronized void install() {
    boolean installed = Arrays.stream(SDK.getHandlers()).anyMatch(OtelLogBridge.class::isInstance);
    if (!installed) {
      SDK.setUseParentHandlers(false);
      SDK.addHandler(new OtelLogBridge());
    }
  }

  @Override
  public void publish(LogRecord message) {
    String name = message.getLoggerName() == null ? SDK.getName() : message.getLoggerName();
    org.slf4j.Logger log = LoggerFactory.getLogger(name);
    // At most a warning: a collector that is down is not an error of this server.
    boolean warning = message.getLevel().intValue() >= Level.WARNING.intValue();
    LoggingEventBuilder event = warning ? log.atWarn() : log.atDebug();
    event.setCause(message.getThrown()).log("{}", FORMATTER.formatMessage(message));
  }

  @Override
  public void flush() {
    // Messages are written at once.
  }

  @Override
  public void close() {
    // Nothing to close.
  }
}
