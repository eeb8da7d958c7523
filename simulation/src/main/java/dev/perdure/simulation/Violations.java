// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import org.jspecify.annotations.Nullable;

/**
 * The first broken invariant of a run. It is recorded and not thrown, because the code under test
 * would catch an exception.
 */
final class Violations {

  /** A broken invariant. */
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

  void reportUnexpected(Throwable unexpected) {
    StringBuilder what = new StringBuilder(unexpected.toString());
    for (StackTraceElement line : unexpected.getStackTrace()) {
      what.append("\n    at ").append(line);
    }
    report(Invariant.NO_UNEXPECTED_EXCEPTION, what.toString());
  }
}
