// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/** What became of a dependency; without an outcome its parent has not ended. */
public enum DependencyOutcome {
  SUCCEEDED(1),
  /** The parent failed, was canceled, or is about to fail because of its own parents. */
  FAILED(2),
  /** An operator revived the child without it. */
  WAIVED(3);

  private final int code;

  DependencyOutcome(int code) {
    this.code = code;
  }

  /** The number that stores keep. */
  public int code() {
    return code;
  }

  /** The outcome with this code; null for 0, which stands for none. */
  public static @Nullable DependencyOutcome ofCode(int code) {
    return code == 0 ? null : values()[code - 1];
  }

  /** True when the child need not wait for this dependency. */
  public static boolean satisfies(@Nullable DependencyOutcome outcome, boolean requiresSuccess) {
    return outcome != null && !(outcome == FAILED && requiresSuccess);
  }
}
