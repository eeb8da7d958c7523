// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import org.jspecify.annotations.Nullable;

/**
 * The first broken promise of a run. Noted rather than thrown: the code under test catches things.
 */
final class Findings {

  /** A broken promise. */
  record Finding(Invariant invariant, String what) {}

  private @Nullable Finding first;

  @Nullable Finding first() {
    return first;
  }

  void report(Invariant invariant, String what) {
    if (first == null) {
      first = new Finding(invariant, what);
    }
  }

  void require(boolean holds, Invariant invariant, String what) {
    if (!holds) {
      report(invariant, what);
    }
  }

  void unexpected(Throwable problem) {
    StringBuilder what = new StringBuilder(problem.toString());
    for (StackTraceElement line : problem.getStackTrace()) {
      what.append("\n    at ").append(line);
    }
    report(Invariant.NO_SURPRISE, what.toString());
  }
}
