// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.chart;

import dev.perdure.policy.explain.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps durations to positions between 0 and 1: linearly, or logarithmically when the longest would
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

  /** A scale from 0 to this duration. */
  public static TimeScale upTo(Duration longest) {
    return new TimeScale(0, Math.max(1, longest.toMillis()), false);
  }

  /** A scale for the times of all these retries, counted from the first failure. */
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

  /** Whether the duration lies on the scale. */
  public boolean covers(Duration time) {
    return time.toMillis() >= from && time.toMillis() <= to;
  }

  /** The position between 0 and 1; a duration off the scale is at its end. */
  public double position(Duration time) {
    long value = Math.clamp(time.toMillis(), from, to);
    return logarithmic
        ? Math.log((double) value / from) / Math.log((double) to / from)
        : (double) (value - from) / (to - from);
  }

  /** Round durations along the scale, at most this many. */
  public List<Duration> ticks(int max) {
    return logarithmic ? powers(max) : multiples(max);
  }

  private List<Duration> multiples(int max) {
    long step = RoundDurations.STEPS_MS.getFirst();
    for (int i = 1; i < RoundDurations.STEPS_MS.size() && to / step > max - 1; i++) {
      step = RoundDurations.STEPS_MS.get(i);
    }
    List<Duration> ticks = new ArrayList<>();
    for (long tick = 0; tick <= to && ticks.size() < max; tick += step) {
      ticks.add(Duration.ofMillis(tick));
    }
    return ticks;
  }

  private List<Duration> powers(int max) {
    List<Duration> inside =
        RoundDurations.LOG_TICKS_MS.stream()
            .filter(millis -> millis >= from && millis <= to)
            .map(Duration::ofMillis)
            .toList();
    int stride = Math.max(1, (inside.size() + max - 1) / max);
    List<Duration> ticks = new ArrayList<>();
    for (int i = 0; i < inside.size(); i += stride) {
      ticks.add(inside.get(i));
    }
    return ticks;
  }
}
