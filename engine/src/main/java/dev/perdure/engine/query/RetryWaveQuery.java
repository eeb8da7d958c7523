// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import org.jspecify.annotations.Nullable;

/**
 * Which waiting retries a {@link RetryWave} counts, and how.
 *
 * @param kind counts only retries of this kind; null for all
 * @param byKind whether the counts are also split by kind
 * @param maxCounted beyond this many entries of the index, a store counts a part of each bucket and
 *     estimates the rest; retries before and after the window are counted up to this many
 */
public record RetryWaveQuery(
    RetryWindow window, @Nullable String kind, boolean byKind, int maxCounted) {

  /** The default of {@code maxCounted}, and its maximum. */
  public static final int MAX_COUNTED = 1_000_000;

  public RetryWaveQuery {
    if (maxCounted < 1 || maxCounted > MAX_COUNTED) {
      throw new IllegalArgumentException(
          "maxCounted must be from 1 to %d, not %d".formatted(MAX_COUNTED, maxCounted));
    }
  }

  /** Counts the retries of all kinds together. */
  public static RetryWaveQuery of(RetryWindow window) {
    return new RetryWaveQuery(window, null, false, MAX_COUNTED);
  }

  public RetryWaveQuery withKind(@Nullable String value) {
    return new RetryWaveQuery(window, value, byKind, maxCounted);
  }

  public RetryWaveQuery withByKind(boolean value) {
    return new RetryWaveQuery(window, kind, value, maxCounted);
  }

  public RetryWaveQuery withMaxCounted(int value) {
    return new RetryWaveQuery(window, kind, byKind, value);
  }
}
