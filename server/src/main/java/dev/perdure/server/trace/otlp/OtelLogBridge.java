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

/** Brings into our log what the SDK says to the JDK's, such as that no collector answers. */
final class OtelLogBridge extends Handler {

  /** Kept, since the JDK forgets loggers that nobody holds, and what was told them. */
  private static final Logger SDK = Logger.getLogger("io.opentelemetry");

  private static final SimpleFormatter FORMATTER = new SimpleFormatter();

  private OtelLogBridge() {}

  static synchronized void install() {
    boolean done = Arrays.stream(SDK.getHandlers()).anyMatch(OtelLogBridge.class::isInstance);
    if (!done) {
      SDK.setUseParentHandlers(false);
      SDK.addHandler(new OtelLogBridge());
    }
  }

  @Override
  public void publish(LogRecord line) {
    String name = line.getLoggerName() == null ? SDK.getName() : line.getLoggerName();
    org.slf4j.Logger log = LoggerFactory.getLogger(name);
    // A collector that is not there is no failure of ours, whatever the SDK thinks of it.
    boolean warning = line.getLevel().intValue() >= Level.WARNING.intValue();
    LoggingEventBuilder event = warning ? log.atWarn() : log.atDebug();
    event.setCause(line.getThrown()).log("{}", FORMATTER.formatMessage(line));
  }

  @Override
  public void flush() {
    // Each line is written at once.
  }

  @Override
  public void close() {
    // There is nothing to close.
  }
}
