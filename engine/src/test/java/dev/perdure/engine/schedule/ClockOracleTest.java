// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares firing times, forwards and backwards, with a clock that is watched minute by minute.
 * {@code -Dschedule.oracle=all} watches every zone from 2020 to 2030.
 */
class ClockOracleTest {

  private static final boolean ALL = "all".equals(System.getProperty("schedule.oracle"));

  private static final List<String> SPARSE =
      List.of(
          "0 0 * * *",
          "30 2 * * *",
          "*/30 2 * * *",
          "0 */2 * * *",
          "30 */2 * * *",
          "15 1,3 * * *",
          "0 8 * * 1-5",
          "45 23 * * 0",
          "30 1 1 * *",
          "0 0 29 2 *",
          "0 0 31 * 5",
          "59 2 * * 0,6",
          "0 0,12 */2 * 1-5",
          "5 0-4 * 3,4,9-11 *",
          "20 0-23 * * *",
          "0 * * * *",
          "30 * * * *");

  /** Only compared in the days around a change of the clock. */
  private static final List<String> DENSE =
      List.of(
          "* * * * *",
          "*/5 * * * *",
          "* 2 * * *",
          "* 0-3 * * *",
          "*/7 */3 * * *",
          "10-50/20 * * 3,10 0");

  private static final List<String> EXPRESSIONS =
      Stream.concat(SPARSE.stream(), DENSE.stream()).toList();

  private static final long DENSE_MINUTES = 2 * 1_440;

  @Test
  void firing_times_are_those_of_the_watched_clock() {
    Map<ZoneRules, String> zones = new HashMap<>();
    Stream<String> names =
        ALL
            ? new TreeSet<>(ZoneId.getAvailableZoneIds()).stream()
            : Stream.of(
                "UTC",
                "Europe/Paris",
                "America/New_York",
                "Australia/Lord_Howe",
                "Africa/Cairo",
                "America/Santiago",
                "Africa/Casablanca",
                "Asia/Kathmandu");
    names.forEach(name -> zones.putIfAbsent(ZoneId.of(name).getRules(), name));
    long firings =
        zones.values().stream()
            .sorted()
            .mapToLong(name -> ALL ? compare(name, 2020, 2031) : compare(name, 2024, 2026))
            .sum();

    if (ALL) {
      System.out.println(firings + " firings in " + zones.size() + " zones");
    }
    assertThat(firings).isGreaterThan(ALL ? 100_000_000 : 400_000);
  }

  @Test
  void days_that_the_clock_skips_or_repeats_are_those_of_the_watched_clock() {
    assertThat(compare("Pacific/Apia", 2011, 2013)).isPositive();
    assertThat(compare("Pacific/Kwajalein", 1993, 1994)).isPositive();
    assertThat(compare("Pacific/Kwajalein", 1969, 1970)).isPositive();
    assertThat(compare("Antarctica/Casey", 2009, 2013)).isPositive();
  }

  /** Returns how many firings were compared. */
  private static long compare(String name, int fromYear, int untilYear) {
    ZoneId zone = ZoneId.of(name);
    long from = minute(fromYear);
    long until = minute(untilYear);
    ClockOracle oracle = new ClockOracle(zone, EXPRESSIONS);
    List<Long> changes = oracle.changes(from, until);
    Comparison comparison = new Comparison(zone, Instant.ofEpochSecond(from * 60), changes);
    oracle.watch(from, until, comparison);
    assertThat(comparison.firings).isPositive();
    return comparison.firings;
  }

  private static long minute(int year) {
    return Instant.parse(year + "-01-01T00:00:00Z").getEpochSecond() / 60;
  }

  private static final class Comparison implements ClockOracle.Listener {

    private final ZoneId zone;
    private final List<FiringTimes> times;
    private final List<Long> changes;
    private final long[] last = new long[EXPRESSIONS.size()];
    private final boolean[] lastIsNear = new boolean[EXPRESSIONS.size()];
    private int nearestChange;
    private long firings;

    Comparison(ZoneId zone, Instant start, List<Long> changes) {
      this.zone = zone;
      this.changes = changes;
      Instant anchor = start.minusSeconds(1);
      this.times =
          EXPRESSIONS.stream().map(it -> Trigger.cron(it, zone).firingTimes(anchor)).toList();
      Arrays.fill(last, anchor.getEpochSecond());
    }

    @Override
    public void fires(int i, long second) {
      boolean near = nearChange(second / 60);
      if (i < SPARSE.size() || (near && lastIsNear[i])) {
        compare(i, Instant.ofEpochSecond(last[i]), Instant.ofEpochSecond(second));
        firings++;
      }
      last[i] = second;
      lastIsNear[i] = near;
    }

    private void compare(int i, Instant before, Instant firing) {
      FiringTimes actual = times.get(i);
      expect(i, firing, actual.next(before));
      expect(i, firing, actual.previousOrSame(firing).orElse(before));
      expect(i, before, actual.previousOrSame(firing.minusSeconds(1)).orElse(before));
    }

    private boolean nearChange(long minute) {
      while (nearestChange < changes.size()
          && changes.get(nearestChange) < minute - DENSE_MINUTES) {
        nearestChange++;
      }
      return nearestChange < changes.size() && changes.get(nearestChange) < minute + DENSE_MINUTES;
    }

    private void expect(int i, Instant expected, Instant actual) {
      if (!expected.equals(actual)) {
        fail("%s in %s: %s, not %s", EXPRESSIONS.get(i), zone, expected, actual);
      }
    }
  }
}
