// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.time.ZoneId;
import java.util.regex.Pattern;

/**
 * Says in English when a cron expression fires. Times of day come last ("every weekday at 08:00
 * Europe/Paris"), rules come first ("every 15 minutes on weekdays, Europe/Paris").
 */
final class CronWords {

  private static final Pattern ENDS_IN_TIME = Pattern.compile("\\d\\d:\\d\\d$");

  private CronWords() {}

  static String of(CronExpression cron, ZoneId zone) {
    CronTimeWords times = CronTimeWords.of(cron.minutes(), cron.hours());
    CronDayWords days = new CronDayWords(cron);
    if (times.clock()) {
      return "%s at %s %s".formatted(days.before(), times.text(), zone.getId());
    }
    String sentence = times.text() + days.after();
    boolean anyDay = days.after().isEmpty();
    boolean sameInUtc = cron.hours().all() && zone.equals(Zones.UTC);
    if (anyDay && (!times.zoneMatters() || sameInUtc)) {
      return sentence;
    }
    return sentence + (ENDS_IN_TIME.matcher(sentence).find() ? " " : ", ") + zone.getId();
  }
}
