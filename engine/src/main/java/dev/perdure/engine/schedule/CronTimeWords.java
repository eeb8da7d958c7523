// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import dev.perdure.policy.DurationWords;
import java.time.Duration;
import java.util.List;

/**
 * Says the minutes and hours of a cron expression.
 *
 * @param text such as "08:00 and 20:00" or "every 5 minutes"
 * @param clock whether the text is a list of times of day
 * @param zoneMatters whether the text means something else in another zone
 */
record CronTimeWords(String text, boolean clock, boolean zoneMatters) {

  /** So many times of day are always listed. */
  private static final int FEW_TIMES = 4;

  /** So many times of day are listed if no rule describes them. */
  private static final int SOME_TIMES = 8;

  static CronTimeWords of(FieldValues minutes, FieldValues hours) {
    if (hours.all()) {
      return everyHour(minutes);
    }
    int times = minutes.count() * hours.count();
    if (times <= FEW_TIMES) {
      return listed(minutes, hours);
    }
    if (minutes.count() == 1 && hours.step() > 0) {
      int minute = minutes.first();
      return within(DurationWords.every(Duration.ofHours(hours.step())), hours, minute, minute);
    }
    int interval = interval(minutes);
    String rule = DurationWords.every(Duration.ofMinutes(interval));
    if (interval > 0 && (hours.count() == 1 || hours.step() == 1)) {
      return within(rule, hours, minutes.first(), minutes.last());
    }
    if (interval > 0 && minutes.first() == 0) {
      return rule(rule + " during " + Words.numbers(hours));
    }
    return times <= SOME_TIMES
        ? listed(minutes, hours)
        : rule("at %s past %s".formatted(Words.numbers(minutes), Words.numbers(hours)));
  }

  private static CronTimeWords everyHour(FieldValues minutes) {
    int interval = interval(minutes);
    if (interval > 0 && minutes.first() == 0) {
      String text = DurationWords.every(Duration.ofMinutes(interval));
      return new CronTimeWords(text, false, false);
    }
    if (minutes.count() > 1) {
      return rule("at " + Words.numbers(minutes) + " past every hour");
    }
    return minutes.first() == 0
        ? new CronTimeWords("every hour", false, false)
        : rule("every hour at minute " + minutes.first());
  }

  /** The minutes between two matches if that is the same across hours; otherwise 0. */
  private static int interval(FieldValues minutes) {
    int step = minutes.step();
    return step * minutes.count() == minutes.field().size() ? step : 0;
  }

  private static CronTimeWords within(String rule, FieldValues hours, int first, int last) {
    String from = Words.clock(hours.first(), first);
    String to = Words.clock(hours.last(), last);
    return rule("%s from %s to %s".formatted(rule, from, to));
  }

  private static CronTimeWords rule(String text) {
    return new CronTimeWords(text, false, true);
  }

  private static CronTimeWords listed(FieldValues minutes, FieldValues hours) {
    List<String> times =
        hours.list().stream()
            .flatMap(hour -> minutes.list().stream().map(minute -> Words.clock(hour, minute)))
            .toList();
    return new CronTimeWords(Words.list(times, "and"), true, true);
  }
}
