// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Set;

/**
 * What makes a schedule fire: a cron expression, an interval or a time of day. A trigger is an
 * immutable value; {@link TriggerJson} reads and writes its JSON form.
 *
 * <pre>{@code
 * Trigger.cron("0 8 * * 1-5", ZoneId.of("Europe/Paris"))
 * Trigger.every(Duration.ofMinutes(5))
 * Trigger.at(LocalTime.of(8, 0), ZoneId.of("Europe/Paris"), Set.of(DayOfWeek.MONDAY))
 * }</pre>
 *
 * <h2>Daylight saving</h2>
 *
 * A cron expression and a time of day mean local times, in whole minutes. Most local times exist
 * once. The others follow these rules:
 *
 * <ul>
 *   <li>A time that the clock skips fires at the end of the gap, the first instant after it. All
 *       times in one gap fire together, once, also when the end of the gap itself is one of the
 *       trigger's times. The gap may be an hour, half an hour (Lord Howe) or a day (Apia in 2011).
 *   <li>A time that the clock shows twice fires the first time only.
 *   <li>If the hour starts with a star, as in <code>*&#47;2</code>, a time that the clock shows
 *       twice fires both times.
 *   <li>If the hour is just {@code *}, the trigger follows the clock: it fires whenever the clock
 *       shows one of its times. So a time that is shown twice fires both times, and a skipped time
 *       does not fire: {@code 30 * * * *} stays one hour apart when 02:30 is skipped.
 * </ul>
 *
 * <p>The day, month and weekday of a skipped time are those of the skipped time itself.
 */
public sealed interface Trigger
    permits CronTrigger, IntervalTrigger, TimeOfDayTrigger, UnreadableTrigger {

  /** The shortest interval. */
  Duration MIN_INTERVAL = Duration.ofSeconds(1);

  /** The longest interval. */
  Duration MAX_INTERVAL = Duration.ofDays(366);

  /**
   * A cron expression with the fields minute, hour, day, month and weekday, or a macro such as
   * {@code @daily}. Fields take lists, ranges, steps and names ({@code jan}, {@code mon}, in any
   * case); Sunday is 0 or 7. If neither day nor weekday starts with {@code *}, one of the two must
   * match; otherwise both must.
   *
   * @throws IllegalArgumentException if the expression is wrong or can never fire; the message
   *     lists everything that is wrong
   */
  static Trigger cron(String expression, ZoneId zone) {
    return CronTrigger.of(expression, zone);
  }

  /**
   * A fixed interval, counted from the anchor of the schedule: no drift, whatever the runs take.
   *
   * @throws IllegalArgumentException if it is shorter than a second, longer than 366 days or not
   *     whole milliseconds
   */
  static Trigger every(Duration interval) {
    return new IntervalTrigger(interval);
  }

  /** A time of every day, in whole minutes. */
  static Trigger at(LocalTime time, ZoneId zone) {
    return at(time, zone, EnumSet.allOf(DayOfWeek.class));
  }

  /**
   * A time of these days of the week, in whole minutes.
   *
   * @throws IllegalArgumentException if there are no days, or the time has seconds
   */
  static Trigger at(LocalTime time, ZoneId zone, Set<DayOfWeek> days) {
    return TimeOfDayTrigger.of(time, zone, days);
  }

  /**
   * The instants at which a schedule with this trigger fires.
   *
   * @param anchor when the schedule was created, enabled or last edited, in whole milliseconds (a
   *     fraction is cut off); it fires only after that
   */
  FiringTimes firingTimes(Instant anchor);

  /** Says in English when it fires, such as "every weekday at 08:00 Europe/Paris". */
  String describe();
}
