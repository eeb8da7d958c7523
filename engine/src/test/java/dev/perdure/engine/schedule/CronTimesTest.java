// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronTimesTest {

  private static final ZoneId PARIS = ZoneId.of("Europe/Paris");

  @Nested
  class On_ordinary_days {

    @ParameterizedTest
    @CsvSource({
      "0 8 * * 1-5,  2026-11-20T08:00:00Z, 2026-11-23T08:00:00Z",
      "0 8 * * 1-5,  2026-11-20T07:59:59Z, 2026-11-20T08:00:00Z",
      "*/15 * * * *, 2026-11-20T07:59:59.999Z, 2026-11-20T08:00:00Z",
      "*/15 * * * *, 2026-11-20T08:00:00.001Z, 2026-11-20T08:15:00Z",
      "59 23 31 12 *, 2026-12-31T23:59:00Z, 2027-12-31T23:59:00Z",
      "0 0 13 * 5,   2026-11-13T00:00:00Z, 2026-11-20T00:00:00Z",
      "0 0 13 * 5,   2026-12-11T00:00:00Z, 2026-12-13T00:00:00Z",
      "0 0 */2 * 1,  2026-11-20T00:00:00Z, 2026-11-23T00:00:00Z",
      "0 0 */2 * 1,  2026-11-23T00:00:00Z, 2026-12-07T00:00:00Z",
      "0 0 31 * *,   2026-08-31T00:00:00Z, 2026-10-31T00:00:00Z",
      "0 0 29 2 *,   2028-02-29T00:00:00Z, 2032-02-29T00:00:00Z",
      "0 0 29 2 *,   2096-02-29T00:00:00Z, 2104-02-29T00:00:00Z",
      "0 0 29 2 */7, 2088-02-29T00:00:00Z, 2128-02-29T00:00:00Z",
      "0 0 1 1 *,    1969-06-01T00:00:00Z, 1970-01-01T00:00:00Z"
    })
    void the_next_firing_is_the_first_match_and_nothing_is_between(
        String cron, Instant after, Instant expected) {
      FiringTimes times = Trigger.cron(cron, ZoneOffset.UTC).firingTimes(Instant.MIN);

      assertThat(times.next(after)).isEqualTo(expected);
      assertThat(times.previousOrSame(expected)).contains(expected);
      assertThat(times.previousOrSame(expected.minusNanos(1)).orElseThrow())
          .isBeforeOrEqualTo(after);
    }

    @Test
    void a_schedule_fires_only_after_its_anchor() {
      Instant anchor = Instant.parse("2026-11-20T08:00:00Z");
      FiringTimes times = Trigger.cron("0 8 * * *", ZoneOffset.UTC).firingTimes(anchor);
      Instant first = Instant.parse("2026-11-21T08:00:00Z");

      assertThat(times.next(Instant.EPOCH)).isEqualTo(first);
      assertThat(times.previousOrSame(first.minusNanos(1))).isEmpty();
      assertThat(times.previousOrSame(Instant.EPOCH)).isEmpty();
      assertThat(times.previousOrSame(first)).contains(first);
    }

    @Test
    void a_time_of_day_means_the_same_as_cron() {
      Instant anchor = Instant.parse("2026-11-18T00:00:00Z");
      LocalTime time = LocalTime.of(8, 30);
      Trigger at = Trigger.at(time, PARIS, Set.of(DayOfWeek.SUNDAY));

      assertThat(at.firingTimes(anchor).next(anchor, 3))
          .isEqualTo(Trigger.cron("30 8 * * 0", PARIS).firingTimes(anchor).next(anchor, 3))
          .first()
          .isEqualTo(Instant.parse("2026-11-22T07:30:00Z"));
    }

    @Test
    void there_are_firings_in_the_far_past_and_future() {
      FiringTimes times = Trigger.cron("@yearly", PARIS).firingTimes(Instant.MIN);
      Instant future = Instant.parse("9999-06-01T00:00:00Z");

      assertThat(times.next(future)).isEqualTo(Instant.parse("9999-12-31T23:00:00Z"));
      assertThat(times.previousOrSame(Instant.parse("0000-06-01T00:00:00Z")))
          .isEqualTo(Optional.of(Instant.parse("-0001-12-31T23:50:39Z")));
    }
  }

  /** In Paris 02:00 to 03:00 is skipped on 2026-03-29 and happens twice on 2026-10-25. */
  @Nested
  class When_the_clock_changes {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            30 2 * * *    | 03:00+02:00
            */30 2 * * *  | 03:00+02:00
            0,30 1-3 * * *| 01:00+01:00 01:30+01:00 03:00+02:00 03:30+02:00
            30 2,3 * * *  | 03:00+02:00 03:30+02:00
            0 3 * * *     | 03:00+02:00
            30 2 29 3 *   | 03:00+02:00
            30 2 * * 1-6  |
            0 */2 * * *   | 00:00+01:00 03:00+02:00 04:00+02:00
            30 */2 * * *  | 00:30+01:00 03:00+02:00 04:30+02:00
            30 * * * *    | 00:30+01:00 01:30+01:00 03:30+02:00 04:30+02:00
            0 * * * *     | 00:00+01:00 01:00+01:00 03:00+02:00 04:00+02:00
            30 */1 * * *  | 00:30+01:00 01:30+01:00 03:30+02:00 04:30+02:00
            """)
    void skipped_times_fire_once_at_the_end_of_the_gap(String cron, String expected) {
      assertThat(times(cron, PARIS, "2026-03-28T23:00:00Z", "2026-03-29T02:59:59Z"))
          .isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            30 2 * * *    | 02:30+02:00
            */30 2 * * *  | 02:00+02:00 02:30+02:00
            30 1-3 * * *  | 01:30+02:00 02:30+02:00 03:30+01:00
            0 */2 * * *   | 00:00+02:00 02:00+02:00 02:00+01:00
            0 * * * *     | 00:00+02:00 01:00+02:00 02:00+02:00 02:00+01:00 03:00+01:00
            30 0-23 * * * | 00:30+02:00 01:30+02:00 02:30+02:00 03:30+01:00
            """)
    void repeated_times_fire_once_unless_the_hour_is_a_star(String cron, String expected) {
      assertThat(times(cron, PARIS, "2026-10-24T22:00:00Z", "2026-10-25T02:59:59Z"))
          .isEqualTo(expected);
    }

    @Test
    void every_minute_follows_the_clock() {
      for (String day : List.of("2026-03-29", "2026-10-25")) {
        Instant start = Instant.parse(day + "T00:00:00Z");
        FiringTimes times = Trigger.cron("* * * * *", PARIS).firingTimes(start);

        assertThat(times.next(start, 240)).last().isEqualTo(start.plusSeconds(240 * 60));
      }
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            Africa/Cairo        | 0 0 * * *    | 2026-04-23T20:00:00Z | 2026-04-24T19:00:00Z | 01:00+03:00
            Asia/Beirut         | 30 0 * * *   | 2026-03-28T20:00:00Z | 2026-03-29T19:00:00Z | 01:00+03:00
            America/Santiago    | 0 0 * * 0    | 2026-09-06T00:00:00Z | 2026-09-07T02:00:00Z | 01:00-03:00
            America/Havana      | 15 0 * * *   | 2026-03-08T04:00:00Z | 2026-03-09T03:00:00Z | 01:00-04:00
            America/Asuncion    | 0 0 * * *    | 2023-10-01T02:00:00Z | 2023-10-02T02:00:00Z | 01:00-03:00
            Australia/Lord_Howe | 0 * * * *    | 2026-10-03T14:00:00Z | 2026-10-03T17:00:00Z | 01:00+10:30 03:00+11:00 04:00+11:00
            Australia/Lord_Howe | 15 2 * * *   | 2026-10-03T13:30:00Z | 2026-10-04T12:00:00Z | 02:30+11:00
            Australia/Lord_Howe | 45 2 * * *   | 2026-10-03T13:30:00Z | 2026-10-04T12:00:00Z | 02:45+11:00
            Australia/Lord_Howe | 45 1 * * *   | 2026-04-04T13:00:00Z | 2026-04-05T13:00:00Z | 01:45+11:00
            Australia/Lord_Howe | 45 * * * *   | 2026-04-04T14:00:00Z | 2026-04-04T16:00:00Z | 01:45+11:00 01:45+10:30
            Pacific/Apia        | 0 8 * * *    | 2011-12-29T17:00:00Z | 2011-12-31T17:00:00Z | 08:00-10:00 00:00+14:00 08:00+14:00
            Pacific/Apia        | 0 8 30 12 *  | 2011-12-29T17:00:00Z | 2011-12-31T17:00:00Z | 00:00+14:00
            Pacific/Apia        | 0 */8 * * 5  | 2011-12-29T17:00:00Z | 2011-12-31T17:00:00Z | 00:00+14:00
            Pacific/Kwajalein   | 0 12 * * *   | 1993-08-20T12:00:00Z | 1993-08-22T12:00:00Z | 12:00-12:00 00:00+12:00 12:00+12:00
            Pacific/Kwajalein   | 0 12 * * *   | 1969-09-30T00:00:00Z | 1969-10-02T12:00:00Z | 12:00+11:00 12:00-12:00
            Africa/Monrovia     | 0,30 0 * * * | 1972-01-07T00:40:00Z | 1972-01-07T23:59:59Z | 00:44:30Z
            """)
    void follows_the_same_rules_in_zones_with_unusual_changes(
        String zone, String cron, String from, String until, String expected) {
      assertThat(times(cron, ZoneId.of(zone), from, until)).isEqualTo(expected);
    }
  }

  /** The local times and offsets of all firings between two instants, found in both directions. */
  private static String times(String cron, ZoneId zone, String from, String until) {
    FiringTimes times = Trigger.cron(cron, zone).firingTimes(Instant.MIN);
    Instant start = Instant.parse(from).minusNanos(1);
    Instant end = Instant.parse(until);
    List<Instant> forwards = new ArrayList<>();
    for (Instant at = times.next(start); !at.isAfter(end); at = times.next(at)) {
      forwards.add(at);
    }
    List<Instant> backwards = new ArrayList<>();
    Optional<Instant> at = times.previousOrSame(end);
    while (at.isPresent() && at.get().isAfter(start)) {
      backwards.addFirst(at.get());
      at = times.previousOrSame(at.get().minusNanos(1));
    }
    assertThat(backwards).isEqualTo(forwards);
    return String.join(
        " ",
        forwards.stream()
            .map(it -> it.atZone(zone).toOffsetDateTime().toOffsetTime().toString())
            .toList());
  }
}
