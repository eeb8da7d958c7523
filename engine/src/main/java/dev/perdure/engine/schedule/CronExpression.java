// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

/**
 * A cron expression that has been checked: it fires again and again.
 *
 * @param text as it was written, with single spaces
 */
record CronExpression(
    String text,
    FieldValues minutes,
    FieldValues hours,
    FieldValues days,
    FieldValues months,
    FieldValues weekdays) {

  /**
   * Returns true if a date matches when its day or its weekday matches; false if both must. That is
   * the rule of Vixie cron.
   */
  boolean eitherDay() {
    return !days.star() && !weekdays.star();
  }

  /** Returns true if every date of its months matches. */
  boolean everyDay() {
    return eitherDay() ? days.all() || weekdays.all() : days.all() && weekdays.all();
  }
}
