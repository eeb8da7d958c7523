// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.util.List;
import org.slf4j.event.Level;

/** What is worth a line, whatever the operator wants to see of us. */
final class LoggerThresholds {

  /** They tell of every start and stop what nobody on call can use. */
  private static final List<String> WARN_ONLY =
      List.of("com.zaxxer.", "io.opentelemetry.", "org.eclipse.jetty.", "org.flywaydb.");

  /** They warn of every client that sends nonsense, which anybody can do as often as they like. */
  private static final List<String> ERROR_ONLY =
      List.of("org.eclipse.jetty.http.", "org.eclipse.jetty.util.HostPort");

  private static final String OURS = "dev.perdure.";

  private LoggerThresholds() {}

  /** Below this nothing of the logger is written. */
  static Level threshold(String logger) {
    if (logger.startsWith(OURS)) {
      return Level.TRACE;
    }
    if (ERROR_ONLY.stream().anyMatch(logger::startsWith)) {
      return Level.ERROR;
    }
    return WARN_ONLY.stream().anyMatch(logger::startsWith) ? Level.WARN : Level.INFO;
  }
}
