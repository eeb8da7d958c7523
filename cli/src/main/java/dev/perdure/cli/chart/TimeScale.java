// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import dev.perdure.policy.explain.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Lengths of time laid out between 0 and 1: evenly, or by their logarithm where the longest would
 * hide the short ones.
 */
public final class TimeScale {

  private static final int WIDE_RANGE = 60;

  private final long from;
  private final long to;
  private final boolean logarithmic;

  private TimeScale(long from, long to, boolean logarithmic) {
    this.from = from;
    this.to = to;
    this.logarithmic = logarithmic;
  }

  /** From 0 to this length. */
  public static TimeScale upTo(Duration longest) {
    return new TimeScale(0, Math.max(1, longest.toMillis()), false);
  }

  /** For the instants of all these retries, counted from the first failure. */
  public static TimeScale over(List<Timeline.Retry> retries) {
    long first = Long.MAX_VALUE;
    long last = 1;
    for (Timeline.Retry retry : retries) {
      long earliest = retry.total().earliest().toMillis();
      long start = earliest > 0 ? earliest : retry.total().expected().toMillis();
      first = start > 0 ? Math.min(first, start) : first;
      last = Math.max(last, retry.total().latest().toMillis());
    }
    boolean wide = last / first > WIDE_RANGE;
    return wide ? new TimeScale(first, last, true) : new TimeScale(0, last, false);
  }

  public boolean logarithmic() {
    return logarithmic;
  }

  /** True when it lies on the scale. */
  public boolean covers(Duration time) {
    return time.toMillis() >= from && time.toMillis() <= to;
  }

  /** Where it lies, from 0 to 1; what is off the scale lies at its end. */
  public double position(Duration time) {
    long value = Math.clamp(time.toMillis(), from, to);
    return logarithmic
        ? Math.log((double) value / from) / Math.log((double) to / from)
        : (double) (value - from) / (to - from);
  }

  /** Round lengths along the scale, at most so many. */
  public List<Duration> ticks(int most) {
    return logarithmic ? powers(most) : multiples(most);
  }

  private List<Duration> multiples(int most) {
    long step = RoundDurations.STEPS_MS.getFirst();
    for (int i = 1; i < RoundDurations.STEPS_MS.size() && to / step > most - 1; i++) {
      step = RoundDurations.STEPS_MS.get(i);
    }
    List<Duration> ticks = new ArrayList<>();
    for (long tick = 0; tick <= to && ticks.size() < most; tick += step) {
      ticks.add(Duration.ofMillis(tick));
    }
    return ticks;
  }

  private List<Duration> powers(int most) {
    List<Duration> inside =
        RoundDurations.LOG_TICKS_MS.stream()
            .filter(millis -> millis >= from && millis <= to)
            .map(Duration::ofMillis)
            .toList();
    int stride = Math.max(1, (inside.size() + most - 1) / most);
    List<Duration> ticks = new ArrayList<>();
    for (int i = 0; i < inside.size(); i += stride) {
      ticks.add(inside.get(i));
    }
    return ticks;
  }
}
