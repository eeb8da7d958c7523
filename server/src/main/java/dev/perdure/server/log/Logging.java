// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import dev.perdure.server.config.LogFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The log of this process: its format, its levels and where it is written. */
public final class Logging {

  private static final String APPENDER = "perdure";
  private static final String OURS = "dev.perdure";

  /** Libraries whose {@code info} lines report every start and stop and help no operator. */
  private static final List<String> WARN_ONLY =
      List.of("com.zaxxer", "io.opentelemetry", "org.eclipse.jetty");

  /** Loggers that warn about every malformed request, so any client could fill the log. */
  private static final List<String> ERROR_ONLY =
      List.of("org.eclipse.jetty.http", "org.eclipse.jetty.util.HostPort");

  private Logging() {}

  /** Sets the format and the lowest level that is written. Takes effect at once. */
  public static void configure(LogFormat format, Level level) {
    LoggerContext context = context();
    encoder(context).format(format);
    setLevels(context, level);
  }

  /** Writes the log to this file from now on. */
  public static void toFile(Path file) {
    LoggerContext context = context();
    FileAppender<ILoggingEvent> appender = new FileAppender<>();
    appender.setFile(file.toString());
    replaceAppender(context, appender, encoder(context).format());
  }

  /** Writes the log to standard error, which is the default, and closes the file. */
  public static void toStandardError() {
    LoggerContext context = context();
    replaceAppender(context, standardError(), encoder(context).format());
  }

  static void install(LoggerContext context, LogFormat format, Level level) {
    replaceAppender(context, standardError(), format);
    setLevels(context, level);
  }

  private static ConsoleAppender<ILoggingEvent> standardError() {
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setTarget("System.err");
    return appender;
  }

  private static void replaceAppender(
      LoggerContext context, OutputStreamAppender<ILoggingEvent> appender, LogFormat format) {
    LogEncoder encoder = new LogEncoder(format);
    encoder.setContext(context);
    encoder.start();
    appender.setName(APPENDER);
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.start();
    if (!appender.isStarted()) {
      throw new IllegalStateException("the log cannot be written to " + name(appender));
    }
    Logger root = root(context);
    List<Appender<ILoggingEvent>> old = new ArrayList<>();
    root.iteratorForAppenders().forEachRemaining(old::add);
    // The new appender comes first, so that no line is lost in between.
    root.addAppender(appender);
    for (Appender<ILoggingEvent> one : old) {
      root.detachAppender(one);
      one.stop();
    }
  }

  private static String name(Appender<ILoggingEvent> appender) {
    return appender instanceof FileAppender<ILoggingEvent> file
        ? file.getFile()
        : appender.getName();
  }

  private static void setLevels(LoggerContext context, Level level) {
    root(context).setLevel(logbackLevel(higher(level, Level.INFO)));
    WARN_ONLY.forEach(
        name -> context.getLogger(name).setLevel(logbackLevel(higher(level, Level.WARN))));
    ERROR_ONLY.forEach(name -> context.getLogger(name).setLevel(logbackLevel(Level.ERROR)));
    context.getLogger(OURS).setLevel(logbackLevel(level));
  }

  private static Level higher(Level one, Level other) {
    return one.toInt() >= other.toInt() ? one : other;
  }

  private static ch.qos.logback.classic.Level logbackLevel(Level level) {
    return ch.qos.logback.classic.Level.convertAnSLF4JLevel(level);
  }

  private static Logger root(LoggerContext context) {
    return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  private static LogEncoder encoder(LoggerContext context) {
    var appender = (OutputStreamAppender<ILoggingEvent>) root(context).getAppender(APPENDER);
    return (LogEncoder) appender.getEncoder();
  }

  private static LoggerContext context() {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (factory instanceof LoggerContext context) {
      return context;
    }
    throw new IllegalStateException(
        "SLF4J uses %s instead of Logback: remove the other SLF4J provider from the class path"
            .formatted(factory.getClass().getName()));
  }
}
