// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import org.openjdk.jmh.annotations.CompilerControl;

/** What the contenders call. Never inlined: a failure that is known in advance costs nothing. */
abstract sealed class Operation {

  static final String DONE = "done";

  abstract String run() throws Exception;

  /** Goes well each time. */
  static final class Succeeding extends Operation {
    @Override
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    String run() {
      return DONE;
    }
  }

  /** Fails twice, then goes well, and begins again. */
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

  /** Made once and without a stack trace, so that only the retrying is measured. */
  private static final class StacklessException extends Exception {
    StacklessException() {
      super("failed", null, false, false);
    }
  }
}
