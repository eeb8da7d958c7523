// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import org.openjdk.jmh.annotations.CompilerControl;

/**
 * The operation that the contenders call. It is never inlined: the compiler would remove a failure
 * that it can predict.
 */
abstract sealed class Operation {

  static final String DONE = "done";

  abstract String run() throws Exception;

  /** Succeeds every time. */
  static final class Succeeding extends Operation {
    @Override
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    String run() {
      return DONE;
    }
  }

  /** Fails twice, then succeeds, and starts over. */
  static final class FailingTwice extends Operation {

    private final Exception failure = new StacklessException();
    private int failures;

    @Override
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    String run() throws Exception {
      if (failures < 2) {
        failures++;
        throw failure;
      }
      failures = 0;
      return DONE;
    }
  }

  /** Created once and without a stack trace, so that only the retry itself is measured. */
  private static final class StacklessException extends Exception {
    StacklessException() {
      super("failed", null, false, false);
    }
  }
}
