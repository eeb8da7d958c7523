// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.DayOfWeek;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;

/** Says the days, weekdays and months of a cron expression. */
final class CronDayWords {

  private static final long MONDAY_TO_FRIDAY = 0b0111110;

  /** The last day that every month has. */
  private static final int LAST_CERTAIN_DAY = 28;

  private final CronExpression cron;

  CronDayWords(CronExpression cron) {
    this.cron = cron;
  }

  /** As the start of a sentence that ends in times: "every weekday", "on the 1st of January". */
  String before() {
    if (cron.everyDay()) {
      return "every day" + inMonths();
    }
    if (onlyWeekdays()) {
      boolean one = cron.weekdays().count() == 1 || cron.weekdays().bits() == MONDAY_TO_FRIDAY;
      return (one ? "every " + everyWeekday() : weekdays()) + inMonths();
    }
    return oneDate() ? "every " + date() : daysOrBoth() + (rareDay() ? "," : "");
  }

  /** As the end of a sentence, with a space before it: " on weekdays in January"; maybe empty. */
  String after() {
    if (cron.everyDay()) {
      return inMonths();
    }
    if (onlyWeekdays()) {
      return " " + weekdays() + inMonths();
    }
    return " " + (oneDate() ? "on " + date() : daysOrBoth());
  }

  private boolean onlyWeekdays() {
    return cron.eitherDay() ? monthsWithDays().isEmpty() : cron.days().all();
  }

  private boolean oneDate() {
    return !cron.eitherDay()
        && cron.days().count() == 1
        && cron.weekdays().all()
        && monthsWithDays().size() == 1;
  }

  /** Returns true if the sentence is about a day that only some months have. */
  private boolean rareDay() {
    return !cron.eitherDay()
        && cron.weekdays().all()
        && cron.months().all()
        && cron.days().count() == 1
        && cron.days().first() > LAST_CERTAIN_DAY;
  }

  private String date() {
    return monthsWithDays().getFirst() + " " + cron.days().first();
  }

  private String daysOrBoth() {
    if (cron.eitherDay()) {
      return "%s and on every %s%s".formatted(days(), everyWeekday(), inMonths());
    }
    if (cron.weekdays().all()) {
      return days();
    }
    List<String> days = cron.days().list().stream().map(Words::ordinal).toList();
    String months = cron.months().all() ? "the month" : Words.list(monthsWithDays(), "or");
    return "on every %s that falls on the %s of %s"
        .formatted(everyWeekday(), Words.list(days, "or"), months);
  }

  /** "on the 1st and 15th of every month", "from the 1st to the 7th of June". */
  private String days() {
    FieldValues days = cron.days();
    String first = Words.ordinal(days.first());
    String last = Words.ordinal(days.last());
    String every = rareDay() ? "every month that has one" : "every month";
    String months = cron.months().all() ? every : Words.list(monthsWithDays(), "and");
    if (days.step() == 1 && days.count() >= Words.MIN_RANGE) {
      return "from the %s to the %s of %s".formatted(first, last, months);
    }
    if (days.step() > 1 && days.count() >= Words.MIN_STEPS) {
      return "on every %s day from the %s to the %s of %s"
          .formatted(Words.ordinal(days.step()), first, last, months);
    }
    List<String> ordinals = days.list().stream().map(Words::ordinal).toList();
    return "on the %s of %s".formatted(Words.list(ordinals, "and"), months);
  }

  /** "on weekdays", "on Monday and Thursday", "from Monday to Thursday". */
  private String weekdays() {
    if (cron.weekdays().bits() == MONDAY_TO_FRIDAY) {
      return "on weekdays";
    }
    List<DayOfWeek> days = daysOfWeek();
    int span = days.getLast().getValue() - days.getFirst().getValue() + 1;
    return span == days.size() && span >= Words.MIN_RANGE
        ? "from %s to %s".formatted(name(days.getFirst()), name(days.getLast()))
        : "on " + names(days);
  }

  /** As it follows "every": "weekday", "Monday and Thursday". */
  private String everyWeekday() {
    return cron.weekdays().bits() == MONDAY_TO_FRIDAY ? "weekday" : names(daysOfWeek());
  }

  /** From Monday to Sunday. */
  private List<DayOfWeek> daysOfWeek() {
    return cron.weekdays().list().stream()
        .map(day -> day == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(day))
        .sorted()
        .toList();
  }

  private static String names(List<DayOfWeek> days) {
    return Words.list(days.stream().map(CronDayWords::name).toList(), "and");
  }

  private static String name(DayOfWeek day) {
    return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** " in January and March", or nothing for every month. */
  private String inMonths() {
    return cron.months().all()
        ? ""
        : " in " + Words.list(cron.months().list().stream().map(Words::month).toList(), "and");
  }

  /** The names of its months that have at least one of its days. */
  private List<String> monthsWithDays() {
    int first = cron.days().first();
    return cron.months().list().stream()
        .filter(month -> CronParser.has(month, first))
        .map(Words::month)
        .toList();
  }
}
