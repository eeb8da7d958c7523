// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import org.jspecify.annotations.Nullable;

/**
 * The first broken promise of a run. Noted rather than thrown: the code under test catches things.
 */
final class Violations {

  /** A broken promise. */
  record Violation(Invariant invariant, String what) {}

  private @Nullable Violation first;

  @Nullable Violation first() {
    return first;
  }

  void report(Invariant invariant, String what) {
    if (first == null) {
      first = new Violation(invariant, what);
    }
  }

  void require(boolean holds, Invariant invariant, String what) {
    if (!holds) {
      report(invariant, what);
    }
  }

  void reportUnexpected(Throwable problem) {
    StringBuilder what = new StringBuilder(problem.toString());
    for (StackTraceElement line : problem.getStackTrace()) {
      what.append("\n    at ").append(line);
    }
    report(Invariant.NO_UNEXPECTED_EXCEPTION, what.toString());
  }
}
