// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.LocalDate;
import java.time.temporal.ChronoField;

/**
 * The local minutes that a cron expression matches, on a calendar without time zones. A minute is
 * counted from 1970-01-01T00:00.
 */
final class CronCalendar {

  /** There is no such minute within the limit. */
  static final long NONE = Long.MIN_VALUE;

  private static final int MINUTES_PER_DAY = 24 * 60;
  private static final int DAYS_OF_WEEK = 7;

  /** The weekday of 1970-01-01, where Sunday is 0. */
  private static final int WEEKDAY_OF_DAY_0 = 4;

  private final long minutes;
  private final int hours;
  private final int months;

  /** The matching days of a month, by the weekday of its first day. */
  private final int[] daysByFirstWeekday = new int[DAYS_OF_WEEK];

  CronCalendar(CronExpression cron) {
    this.minutes = cron.minutes().bits();
    this.hours = (int) cron.hours().bits();
    this.months = (int) cron.months().bits();
    for (int first = 0; first < DAYS_OF_WEEK; first++) {
      int days = (int) cron.days().bits();
      int weekdays = daysOn((int) cron.weekdays().bits(), first);
      daysByFirstWeekday[first] = cron.eitherDay() ? days | weekdays : days & weekdays;
    }
  }

  private static int daysOn(int weekdays, int first) {
    int days = 0;
    for (int day = 1; day <= 31; day++) {
      days |= ((weekdays >> ((first + day - 1) % DAYS_OF_WEEK)) & 1) << day;
    }
    return days;
  }

  /** The first matching minute of {@code from} to {@code limit}, the limit excluded, or NONE. */
  long nextOrSame(long from, long limit) {
    long day = Math.floorDiv(from, MINUTES_PER_DAY);
    long found = firstDay(day, limit);
    if (found == day) {
      int time = timeFrom((int) (from - day * MINUTES_PER_DAY));
      if (time >= 0) {
        return before(limit, day * MINUTES_PER_DAY + time);
      }
      found = firstDay(day + 1, limit);
    }
    return found == NONE ? NONE : before(limit, found * MINUTES_PER_DAY + timeFrom(0));
  }

  private static long before(long limit, long minute) {
    return minute < limit ? minute : NONE;
  }

  /** The last matching minute of {@code limit} to {@code from}, both included, or NONE. */
  long previousOrSame(long from, long limit) {
    long day = Math.floorDiv(from, MINUTES_PER_DAY);
    long found = lastDay(day, limit);
    if (found == day) {
      int time = timeUntil((int) (from - day * MINUTES_PER_DAY));
      if (time >= 0) {
        return notBefore(limit, day * MINUTES_PER_DAY + time);
      }
      found = lastDay(day - 1, limit);
    }
    return found == NONE
        ? NONE
        : notBefore(limit, found * MINUTES_PER_DAY + timeUntil(MINUTES_PER_DAY - 1));
  }

  private static long notBefore(long limit, long minute) {
    return minute >= limit ? minute : NONE;
  }

  /** The first matching time of day, in minutes, that is not before this one, or -1. */
  private int timeFrom(int time) {
    int hour = time / 60;
    long rest = ((hours >> hour) & 1) == 0 ? 0 : minutes & (-1L << (time % 60));
    if (rest != 0) {
      return hour * 60 + Long.numberOfTrailingZeros(rest);
    }
    int later = hours & (-1 << (hour + 1));
    return later == 0
        ? -1
        : Integer.numberOfTrailingZeros(later) * 60 + Long.numberOfTrailingZeros(minutes);
  }

  /** The last matching time of day, in minutes, that is not after this one, or -1. */
  private int timeUntil(int time) {
    int hour = time / 60;
    long rest = ((hours >> hour) & 1) == 0 ? 0 : minutes & ((2L << (time % 60)) - 1);
    if (rest != 0) {
      return hour * 60 + highestBit(rest);
    }
    int earlier = hours & ((1 << hour) - 1);
    return earlier == 0 ? -1 : highestBit(earlier) * 60 + highestBit(minutes);
  }

  private static int highestBit(long bits) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(bits);
  }

  /** The first matching day that is not before this one, or NONE if it begins after the limit. */
  private long firstDay(long day, long limit) {
    LocalDate date = LocalDate.ofEpochDay(day);
    int allowed = -1 << date.getDayOfMonth();
    long lastDay = Math.floorDiv(limit, MINUTES_PER_DAY);
    long month = date.getLong(ChronoField.PROLEPTIC_MONTH);
    for (long first = firstOf(month); first <= lastDay; first = firstOf(++month)) {
      int days = daysOf(month, first) & allowed;
      if (days != 0) {
        return first + Integer.numberOfTrailingZeros(days) - 1;
      }
      allowed = -1;
    }
    return NONE;
  }

  /** The last matching day that is not after this one, or NONE if it ends before the limit. */
  private long lastDay(long day, long limit) {
    LocalDate date = LocalDate.ofEpochDay(day);
    int allowed = (2 << date.getDayOfMonth()) - 1;
    long firstDay = Math.floorDiv(limit, MINUTES_PER_DAY);
    long month = date.getLong(ChronoField.PROLEPTIC_MONTH);
    for (long next = firstOf(month + 1); next > firstDay; next = firstOf(month + 1)) {
      long first = firstOf(month);
      int days = daysOf(month, first) & allowed;
      if (days != 0) {
        return first + highestBit(days & 0xFFFF_FFFFL) - 1;
      }
      allowed = -1;
      month--;
    }
    return NONE;
  }

  private static long firstOf(long month) {
    return LocalDate.of((int) Math.floorDiv(month, 12L), Math.floorMod(month, 12) + 1, 1)
        .toEpochDay();
  }

  /** The matching days of a month as bits, where bit 1 is its first day. */
  private int daysOf(long month, long first) {
    int number = Math.floorMod(month, 12) + 1;
    if (((months >> number) & 1) == 0) {
      return 0;
    }
    int length = (int) (firstOf(month + 1) - first);
    int weekday = Math.floorMod(first + WEEKDAY_OF_DAY_0, DAYS_OF_WEEK);
    return daysByFirstWeekday[weekday] & ((2 << length) - 1);
  }
}
