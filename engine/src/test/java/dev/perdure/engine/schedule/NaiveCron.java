// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.LocalDate;
import java.util.Arrays;

/**
 * A second, slow implementation of the fields of cron, which shares no code with the first. It
 * reads numbers, lists, ranges and steps, and trusts that they are right.
 */
final class NaiveCron {

  final boolean hourHasStar;
  final boolean everyHour;

  private final boolean[] minutes;
  private final boolean[] hours;
  private final boolean[] days;
  private final boolean[] months;
  private final boolean[] weekdays;
  private final boolean either;

  NaiveCron(String expression) {
    String[] fields = expression.split(" ", -1);
    minutes = values(fields[0], 0, 59);
    hours = values(fields[1], 0, 23);
    days = values(fields[2], 1, 31);
    months = values(fields[3], 1, 12);
    weekdays = values(fields[4], 0, 7);
    weekdays[0] |= weekdays[7];
    hourHasStar = fields[1].startsWith("*");
    everyHour = fields[1].equals("*");
    either = !fields[2].startsWith("*") && !fields[4].startsWith("*");
  }

  private static boolean[] values(String field, int min, int max) {
    boolean[] values = new boolean[max + 1];
    for (String entry : field.split(",", -1)) {
      String[] parts = entry.split("/", -1);
      String[] ends =
          parts[0].equals("*") ? new String[] {"" + min, "" + max} : parts[0].split("-", -1);
      int step = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int value = Integer.parseInt(ends[0]); value <= last; value += step) {
        values[value] = true;
      }
    }
    return values;
  }

  boolean matchesTime(int minuteOfDay) {
    return minutes[minuteOfDay % 60] && hours[minuteOfDay / 60];
  }

  boolean matchesDate(LocalDate date) {
    boolean day = days[date.getDayOfMonth()];
    boolean weekday = weekdays[date.getDayOfWeek().getValue() % 7];
    return months[date.getMonthValue()] && (either ? day || weekday : day && weekday);
  }

  /** The same for two expressions that match the same times of the same dates. */
  String meaning() {
    LocalDate start = LocalDate.of(2023, 1, 1);
    int dates = start.datesUntil(start.plusYears(3)).map(this::matchesDate).toList().hashCode();
    return Arrays.hashCode(minutes) + " " + Arrays.hashCode(hours) + " " + dates;
  }
}
