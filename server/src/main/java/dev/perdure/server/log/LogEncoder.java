// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.perdure.server.config.LogFormat;
import java.nio.charset.StandardCharsets;

/** Turns a log event into the bytes of one line, in UTF-8 whatever the locale is. */
final class LogEncoder extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = {};

  private volatile LogFormat format;

  LogEncoder(LogFormat format) {
    this.format = format;
  }

  LogFormat format() {
    return format;
  }

  void format(LogFormat value) {
    format = value;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    LogLine line = LogLine.of(event);
    String text =
        switch (format) {
          case TEXT -> TextLogFormatter.format(line);
          case JSON -> JsonLogFormatter.format(line);
        };
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
