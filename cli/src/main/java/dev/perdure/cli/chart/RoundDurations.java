// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import java.util.ArrayList;
import java.util.List;

/** Durations that people find round, in milliseconds. */
final class RoundDurations {

  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long MAX_MS = 100_000_000 * DAY;

  /** Distances between the ticks of a linear scale. */
  static final List<Long> STEPS_MS = steps();

  /** Ticks of a logarithmic scale. */
  static final List<Long> LOG_TICKS_MS = logTicks();

  private RoundDurations() {}

  private static List<Long> steps() {
    List<Long> steps = new ArrayList<>();
    append(steps, 1, 1, 2, 5, 10, 20, 50, 100, 200, 500);
    append(steps, SECOND, 1, 2, 5, 10, 15, 30);
    append(steps, MINUTE, 1, 2, 5, 10, 15, 30);
    append(steps, HOUR, 1, 2, 3, 6, 12);
    for (long days = DAY; days < MAX_MS; days *= 10) {
      append(steps, days, 1, 2, 5);
    }
    return List.copyOf(steps);
  }

  private static List<Long> logTicks() {
    List<Long> places = new ArrayList<>();
    append(places, 1, 1, 10, 100);
    append(places, SECOND, 1, 10);
    append(places, MINUTE, 1, 10);
    append(places, HOUR, 1, 6);
    for (long days = DAY; days < MAX_MS; days *= 10) {
      append(places, days, 1);
    }
    return List.copyOf(places);
  }

  private static void append(List<Long> list, long unit, int... factors) {
    for (int factor : factors) {
      list.add(unit * factor);
    }
  }
}
