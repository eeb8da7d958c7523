// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import java.util.List;
import org.slf4j.event.Level;

/** What is worth a line. */
final class Levels {

  /** They tell of every start and stop what nobody on call can use. */
  private static final List<String> TALKATIVE =
      List.of("com.zaxxer.", "org.eclipse.jetty.", "org.flywaydb.");

  /** They warn of every client that sends nonsense, which anybody can do as often as they like. */
  private static final List<String> DISTURBED =
      List.of("org.eclipse.jetty.http.", "org.eclipse.jetty.util.HostPort");

  private Levels() {}

  static Level of(String logger) {
    if (DISTURBED.stream().anyMatch(logger::startsWith)) {
      return Level.ERROR;
    }
    return TALKATIVE.stream().anyMatch(logger::startsWith) ? Level.WARN : Level.INFO;
  }
}
