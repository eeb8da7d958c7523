// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

/** Logs exceptions of callbacks that must not change the result of a call. */
final class RetryLog {

  private static final System.Logger LOGGER = System.getLogger("dev.perdure.retry");

  private RetryLog() {}

  static void warn(String message, Throwable thrown) {
    LOGGER.log(System.Logger.Level.WARNING, message, thrown);
  }
}
