// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** Logs what went wrong in code that was handed in, where it must not change how a call ends. */
final class Complaints {

  private static final System.Logger LOGGER = System.getLogger("dev.perdure.retry");

  private Complaints() {}

  static void log(String what, Throwable thrown) {
    LOGGER.log(System.Logger.Level.WARNING, what, thrown);
  }
}
