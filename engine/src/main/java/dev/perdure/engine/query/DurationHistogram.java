// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Counts durations in {@value #SIZE} ranges: less than 4 ms, less than 8 ms and so on, each range
 * twice as long as the one before, and the last one without an end. Not thread-safe.
 */
public final class DurationHistogram {

  public static final int SIZE = 16;

  private static final long FIRST_BOUND = 4;
  private static final Duration LAST_START = Duration.ofMillis(FIRST_BOUND << (SIZE - 2));

  private final long[] counts = new long[SIZE];

  /** Without durations. */
  public DurationHistogram() {}

  /** The index of the range that the duration is in. */
  public static int indexOf(Duration duration) {
    // The longest durations do not fit into milliseconds.
    if (duration.isNegative()) {
      return 0;
    }
    if (duration.compareTo(LAST_START) >= 0) {
      return SIZE - 1;
    }
    return Long.SIZE - Long.numberOfLeadingZeros(duration.toMillis() / FIRST_BOUND);
  }

  /** The first duration after the range, in milliseconds. */
  private static long bound(int index) {
    return FIRST_BOUND << index;
  }

  public void add(int index, long count) {
    counts[index] += count;
  }

  public void add(DurationHistogram other) {
    for (int i = 0; i < SIZE; i++) {
      counts[i] += other.counts[i];
    }
  }

  public long count(int index) {
    return counts[index];
  }

  public boolean isEmpty() {
    return Arrays.stream(counts).allMatch(count -> count == 0);
  }

  /**
   * Estimates the duration in milliseconds that this part of all durations does not exceed. Assumes
   * that durations are spread evenly inside a range. For the last range it is the range's start.
   *
   * @param part from 0 to 1, for example 0.95
   * @return empty when nothing was counted
   */
  public OptionalLong percentileMillis(double part) {
    if (isEmpty()) {
      return OptionalLong.empty();
    }
    double wanted = part * Arrays.stream(counts).sum();
    int index = 0;
    while (index < SIZE - 1 && (counts[index] == 0 || wanted > counts[index])) {
      wanted -= counts[index];
      index++;
    }
    long start = index == 0 ? 0 : bound(index - 1);
    if (index == SIZE - 1) {
      return OptionalLong.of(start);
    }
    double within = wanted / counts[index];
    return OptionalLong.of(start + Math.round(within * (bound(index) - start)));
  }
}
