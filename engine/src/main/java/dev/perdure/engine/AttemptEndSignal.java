// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

/** Carries what a handler said about its attempt up to the runner. */
final class AttemptEndSignal extends RuntimeException {

  private static final long serialVersionUID = 1;

  AttemptEndSignal(String what) {
    super("the attempt ends here: " + what, null, false, false);
  }
}
