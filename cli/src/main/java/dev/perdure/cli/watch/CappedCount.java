// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

/**
 * A number of tasks, which the server counts only up to {@link #CAP}.
 *
 * @param value a lower bound when capped, else the exact number
 * @param capped whether the real number may be higher
 */
public record CappedCount(long value, boolean capped) {

  /** Where the server stops counting. */
  public static final long CAP = 10_000;

  static final CappedCount ZERO = new CappedCount(0, false);

  static CappedCount of(long counted) {
    return new CappedCount(counted, counted >= CAP);
  }

  CappedCount plus(CappedCount other) {
    return new CappedCount(value + other.value, capped || other.capped);
  }

  /** The increase since an earlier count. If either count is capped, it is only a lower bound. */
  CappedCount minus(CappedCount before) {
    return new CappedCount(Math.max(0, value - before.value), capped || before.capped);
  }

  /** Whether the number is certainly 0. */
  public boolean isZero() {
    return value == 0 && !capped;
  }
}
