// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriggerWordsTest {

  private static final ZoneId PARIS = ZoneId.of("Europe/Paris");

  @ParameterizedTest
  @CsvSource({
    "PT1S, every second",
    "PT1.5S, every 1.5 seconds",
    "PT90S, every 90 seconds",
    "PT1M, every minute",
    "PT5M, every 5 minutes",
    "PT1H, every hour",
    "PT24H, every 24 hours",
    "PT36H, every 36 hours",
    "P7D, every 7 days"
  })
  void says_intervals(Duration interval, String words) {
    assertThat(Trigger.every(interval).describe()).isEqualTo(words);
  }

  @Test
  void says_times_of_day() {
    LocalTime time = LocalTime.of(9, 30);

    assertThat(Trigger.at(time, PARIS).describe()).isEqualTo("every day at 09:30 Europe/Paris");
    assertThat(Trigger.at(time, ZoneOffset.UTC).describe()).isEqualTo("every day at 09:30 UTC");
    assertThat(Trigger.at(time, PARIS, Set.of(DayOfWeek.MONDAY, DayOfWeek.THURSDAY)).describe())
        .isEqualTo("on Monday and Thursday at 09:30 Europe/Paris");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 8 * * 1-5            | every weekday at 08:00 Europe/Paris
          @daily                 | every day at 00:00 Europe/Paris
          @weekly                | every Sunday at 00:00 Europe/Paris
          @monthly               | on the 1st of every month at 00:00 Europe/Paris
          @yearly                | every January 1 at 00:00 Europe/Paris
          0 8,20 * * *           | every day at 08:00 and 20:00 Europe/Paris
          */30 2 * * *           | every day at 02:00 and 02:30 Europe/Paris
          0 */6 * * *            | every day at 00:00, 06:00, 12:00 and 18:00 Europe/Paris
          0 8 * * sat,sun        | on Saturday and Sunday at 08:00 Europe/Paris
          0 8 * * 1-4            | from Monday to Thursday at 08:00 Europe/Paris
          0 8 * * 1,3,4,5        | on Monday, Wednesday, Thursday and Friday at 08:00 Europe/Paris
          0 8 * * fri-sun        | from Friday to Sunday at 08:00 Europe/Paris
          0 8 * * 0-6            | every day at 08:00 Europe/Paris
          0 8 * 1 1-5            | every weekday in January at 08:00 Europe/Paris
          0 8 * 6-8 *            | every day in June, July and August at 08:00 Europe/Paris
          0 8 1,15 * *           | on the 1st and 15th of every month at 08:00 Europe/Paris
          0 8 1-7 * *            | from the 1st to the 7th of every month at 08:00 Europe/Paris
          0 8 */2 * *            | on every 2nd day from the 1st to the 31st of every month at 08:00 Europe/Paris
          0 8 31 * *             | on the 31st of every month that has one, at 08:00 Europe/Paris
          0 8 1 1,4,7,10 *       | on the 1st of January, April, July and October at 08:00 Europe/Paris
          0 8 31 1,2 *           | every January 31 at 08:00 Europe/Paris
          0 0 29 2 *             | every February 29 at 00:00 Europe/Paris
          0 0 13 * 5             | on the 13th of every month and on every Friday at 00:00 Europe/Paris
          0 0 13 6 1-5           | on the 13th of June and on every weekday in June at 00:00 Europe/Paris
          0 0 30 2 5             | every Friday in February at 00:00 Europe/Paris
          0 0 30 2,3 5           | on the 30th of March and on every Friday in February and March at 00:00 Europe/Paris
          0 0 1-31 * 5           | every day at 00:00 Europe/Paris
          0 0 */10 * 5           | on every Friday that falls on the 1st, 11th, 21st or 31st of the month at 00:00 Europe/Paris
          0 0 */10 1,3 5         | on every Friday that falls on the 1st, 11th, 21st or 31st of January or March at 00:00 Europe/Paris
          5,50 7,9,22 * * *      | every day at 07:05, 07:50, 09:05, 09:50, 22:05 and 22:50 Europe/Paris
          * * * * *              | every minute
          */5 * * * *            | every 5 minutes
          0 * * * *              | every hour
          15 * * * *             | every hour at minute 15, Europe/Paris
          */7 * * * *            | at every 7th minute from 0 to 56 past every hour, Europe/Paris
          5-59/10 * * * *        | at every 10th minute from 5 to 55 past every hour, Europe/Paris
          0-9,20,30 * * * *      | at minutes 0 to 9, 20 and 30 past every hour, Europe/Paris
          0 */2 * * *            | every 2 hours from 00:00 to 22:00 Europe/Paris
          15 8-17 * * *          | every hour from 08:15 to 17:15 Europe/Paris
          */15 8-17 * * 1-5      | every 15 minutes from 08:00 to 17:45 on weekdays, Europe/Paris
          5-59/10 8-17 * * *     | every 10 minutes from 08:05 to 17:55 Europe/Paris
          * 8 * * *              | every minute from 08:00 to 08:59 Europe/Paris
          * 8,10 * * *           | every minute during hours 8 and 10, Europe/Paris
          */5 */2 * * *          | every 5 minutes during every 2nd hour from 0 to 22, Europe/Paris
          */5 * * * 1            | every 5 minutes on Monday, Europe/Paris
          */5 * 1 1 *            | every 5 minutes on January 1, Europe/Paris
          0 * 31 * *             | every hour on the 31st of every month that has one, Europe/Paris
          0 8 31 * 1             | on the 31st of every month and on every Monday at 08:00 Europe/Paris
          0 * 1 * *              | every hour on the 1st of every month, Europe/Paris
          0,15,30 8-17 * 1 1-5   | at minutes 0, 15 and 30 past hours 8 to 17 on weekdays in January, Europe/Paris
          1,2,5 1,4,5,7 * * *    | at minutes 1, 2 and 5 past hours 1, 4, 5 and 7, Europe/Paris
          """)
  void says_cron_expressions(String expression, String words) {
    assertThat(Trigger.cron(expression, PARIS).describe()).isEqualTo(words);
  }

  @Test
  void names_utc_unless_every_hour_is_alike() {
    assertThat(Trigger.cron("15 * * * *", ZoneOffset.UTC).describe())
        .isEqualTo("every hour at minute 15");
    assertThat(Trigger.cron("0 8 * * 1-5", ZoneOffset.UTC).describe())
        .isEqualTo("every weekday at 08:00 UTC");
    assertThat(Trigger.cron("*/5 * * * 1", ZoneOffset.UTC).describe())
        .isEqualTo("every 5 minutes on Monday, UTC");
  }
}
