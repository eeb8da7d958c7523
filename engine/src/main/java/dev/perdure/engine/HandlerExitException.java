// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/** Unwinds a handler that has asked its attempt to end. */
final class HandlerExitException extends RuntimeException {

  private static final long serialVersionUID = 1;

  HandlerExitException(String what) {
    super("the attempt ends here: " + what, null, false, false);
  }
}
