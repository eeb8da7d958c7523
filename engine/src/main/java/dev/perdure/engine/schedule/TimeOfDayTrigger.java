// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static java.util.stream.Collectors.joining;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Fires at a time of day.
 *
 * @param days at least one, in the order of the week
 */
record TimeOfDayTrigger(LocalTime time, Set<DayOfWeek> days, ZoneId zone) implements Trigger {

  static TimeOfDayTrigger of(LocalTime time, ZoneId zone, Set<DayOfWeek> days) {
    if (!time.truncatedTo(ChronoUnit.MINUTES).equals(time)) {
      throw new IllegalArgumentException("at: must be whole minutes, not " + time);
    }
    if (days.isEmpty()) {
      throw new IllegalArgumentException("days: must name at least one day");
    }
    Set<DayOfWeek> sorted = Collections.unmodifiableSet(EnumSet.copyOf(days));
    return new TimeOfDayTrigger(time, sorted, Zones.normalized(zone));
  }

  boolean everyDay() {
    return days.size() == DayOfWeek.values().length;
  }

  /** The cron expression that means the same. */
  CronExpression expression() {
    String weekdays =
        everyDay()
            ? "*"
            : days.stream().map(day -> String.valueOf(day.getValue())).collect(joining(","));
    String text = "%d %d * * %s".formatted(time.getMinute(), time.getHour(), weekdays);
    return Objects.requireNonNull(CronParser.parse(text, new ArrayList<>()), text);
  }

  @Override
  public FiringTimes firingTimes(Instant anchor) {
    return CronTimes.of(expression(), zone, anchor);
  }

  @Override
  public String describe() {
    return CronWords.of(expression(), zone);
  }

  @Override
  public String toString() {
    return TriggerJson.write(this).toString();
  }
}
