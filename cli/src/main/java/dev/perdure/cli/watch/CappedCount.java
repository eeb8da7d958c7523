// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

/**
 * How many there are.
 *
 * @param value at least so many
 * @param capped whether there may be more: the server counts no further than {@link #CAP}
 */
public record CappedCount(long value, boolean capped) {

  /** The server counts no further. */
  public static final long CAP = 10_000;

  static final CappedCount ZERO = new CappedCount(0, false);

  static CappedCount of(long counted) {
    return new CappedCount(counted, counted >= CAP);
  }

  CappedCount plus(CappedCount other) {
    return new CappedCount(value + other.value, capped || other.capped);
  }

  /** What came since; of two that were not counted to their ends nothing is known but that. */
  CappedCount minus(CappedCount before) {
    return new CappedCount(Math.max(0, value - before.value), capped || before.capped);
  }

  /** Whether there is none for sure. */
  public boolean isZero() {
    return value == 0 && !capped;
  }
}
