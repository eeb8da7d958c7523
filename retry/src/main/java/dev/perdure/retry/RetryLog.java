// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** Logs what went wrong in code that was handed in, where it must not change how a call ends. */
final class RetryLog {

  private static final System.Logger LOGGER = System.getLogger("dev.perdure.retry");

  private RetryLog() {}

  static void warn(String what, Throwable thrown) {
    LOGGER.log(System.Logger.Level.WARNING, what, thrown);
  }
}
