// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import java.util.ArrayList;
import java.util.List;

/** Chooses round whole numbers for the ticks of an axis. */
public final class CountTicks {

  private static final int[] FACTORS = {1, 2, 5};

  private CountTicks() {}

  /** Ticks from 0 to the first round number at or above the top, in at most this many steps. */
  public static List<Long> upTo(long top, int steps) {
    long step = step(Math.max(1, top), steps);
    List<Long> ticks = new ArrayList<>(List.of(0L));
    while (ticks.getLast() < top) {
      ticks.add(ticks.getLast() + step);
    }
    return ticks;
  }

  private static long step(long top, int steps) {
    for (long power = 1; power <= Integer.MAX_VALUE; power *= 10) {
      for (int factor : FACTORS) {
        if (power * factor * steps >= top) {
          return power * factor;
        }
      }
    }
    return top;
  }
}
