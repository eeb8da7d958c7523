// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The values that one field of a cron expression matches.
 *
 * @param bits bit n stands for value n; Sunday is 0
 * @param star whether the field was written with a {@code *} at its start
 */
record FieldValues(CronField field, long bits, boolean star) {

  /** Returns true if the field matches every value. */
  boolean all() {
    return count() == field.size();
  }

  int count() {
    return Long.bitCount(bits);
  }

  int first() {
    return Long.numberOfTrailingZeros(bits);
  }

  int last() {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(bits);
  }

  /** The values in ascending order. */
  List<Integer> list() {
    return IntStream.range(0, Long.SIZE).filter(n -> ((bits >> n) & 1) == 1).boxed().toList();
  }

  /** The distance between neighbours if it is the same everywhere; otherwise 0. */
  int step() {
    if (count() < 2) {
      return 0;
    }
    int step = Long.numberOfTrailingZeros(bits & (bits - 1)) - first();
    List<Integer> values = list();
    boolean even =
        IntStream.range(1, values.size()).allMatch(i -> values.get(i) - values.get(i - 1) == step);
    return even ? step : 0;
  }
}
