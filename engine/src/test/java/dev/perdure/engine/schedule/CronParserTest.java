// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronParserTest {

  private static final String FIELDS = "cron has five fields: minute hour day month weekday; ";

  @Test
  void reads_lists_ranges_and_steps() {
    assertThat(values("0,15,30 * * * *", CronExpression::minutes)).containsExactly(0, 15, 30);
    assertThat(values("5-8 * * * *", CronExpression::minutes)).containsExactly(5, 6, 7, 8);
    assertThat(values("*/20 * * * *", CronExpression::minutes)).containsExactly(0, 20, 40);
    assertThat(values("10-50/20,7 * * * *", CronExpression::minutes))
        .containsExactly(7, 10, 30, 50);
    assertThat(values("* * */10 * *", CronExpression::days)).containsExactly(1, 11, 21, 31);
    assertThat(values("* 08 * * *", CronExpression::hours)).containsExactly(8);
  }

  @Test
  void reads_names_in_any_case() {
    assertThat(values("* * * jan,FEB,Dec *", CronExpression::months)).containsExactly(1, 2, 12);
    assertThat(values("* * * mar-MAY *", CronExpression::months)).containsExactly(3, 4, 5);
    assertThat(values("* * * * Mon-fri/2", CronExpression::weekdays)).containsExactly(1, 3, 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0       | 0
          7       | 0
          sun     | 0
          5-7     | 0,5,6
          fri-sun | 0,5,6
          5-0     | 0,5,6
          7-2     | 0,1,2
          0-7     | 0,1,2,3,4,5,6
          */2     | 0,2,4,6
          */7     | 0
          """)
  void sunday_is_0_and_7(String weekdays, String expected) {
    List<Integer> days = values("* * * * " + weekdays, CronExpression::weekdays);

    assertThat(days.toString().replaceAll("[^0-9,]", "")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "@yearly,   0 0 1 1 *",
    "@annually, 0 0 1 1 *",
    "@monthly,  0 0 1 * *",
    "@weekly,   0 0 * * 0",
    "@daily,    0 0 * * *",
    "@midnight, 0 0 * * *",
    "@Hourly,   0 * * * *"
  })
  void reads_macros(String macro, String fields) {
    CronExpression expression = parse(macro);
    CronExpression expected = parse(fields);

    assertThat(expression.text()).isEqualToIgnoringCase(macro);
    assertThat(expression).usingRecursiveComparison().ignoringFields("text").isEqualTo(expected);
  }

  @Test
  void keeps_the_text_with_single_spaces() {
    assertThat(parse("  0\t8  * * MON-fri ").text()).isEqualTo("0 8 * * MON-fri");
  }

  @Test
  void only_a_star_at_the_start_leaves_a_day_unrestricted() {
    assertThat(parse("* * 1 * 1").eitherDay()).isTrue();
    assertThat(parse("* * 1-31 * 1").eitherDay()).isTrue();
    assertThat(parse("* * */2 * 1").eitherDay()).isFalse();
    assertThat(parse("* * 1 * */2").eitherDay()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          61 * * * *        | minute: 61 is not 0 to 59
          * 24 * * *        | hour: 24 is not 0 to 23
          * * 0 * *         | day: 0 is not 1 to 31
          * * * 13 *        | month: 13 is not 1 to 12 or jan to dec
          * * * foo *       | month: 'foo' is not 1 to 12 or jan to dec
          * * * january *   | month: 'january' is too long; write jan
          * * * * 8         | weekday: 8 is not 0 to 7 or sun to sat
          * mon * * *       | hour: 'mon' is not 0 to 23
          -5 * * * *        | minute: '-5' is not 0 to 59
          1.5 * * * *       | minute: '1.5' is not 0 to 59
          99999 * * * *     | minute: '99999' is not 0 to 59
          1,,2 * * * *      | minute: '1,,2' has an empty entry; check its commas
          1, * * * *        | minute: '1,' has an empty entry; check its commas
          5/15 * * * *      | minute: '5/15' has a step but no range; write 5-59/15
          *-5 * * * *       | minute: '*-5' is not a range; write * alone, or two numbers
          */0 * * * *       | minute: step 0 is not 1 to 60
          */x * * * *       | minute: step x is not 1 to 60
          */90 * * * *      | minute: step 90 is not 1 to 60; use every instead of cron for longer intervals
          * */48 * * *      | hour: step 48 is not 1 to 24; use every instead of cron for longer intervals
          * * */40 * *      | day: step 40 is not 1 to 31
          * 17-8 * * *      | hour: 17-8 runs backwards; write 17-23,0-8
          * 23-0 * * *      | hour: 23-0 runs backwards; write 23,0
          * * * nov-feb *   | month: nov-feb runs backwards; write 11-12,1-2
          * * * * sat-mon   | weekday: sat-mon runs backwards; write 6-7,1
          * * ? * *         | day: '?': '?' is not supported; write * instead
          * * L * *         | day: 'L': the last day is not supported; name a day, such as 28 of every month
          * * * * 5L        | weekday: '5L': the last day is not supported; name a day, such as 28 of every month
          * * 15W * *       | day: '15W': the nearest weekday is not supported; write 15
          * * * * mon#1     | weekday: 'mon#1': the nth weekday of a month is not supported; name a day or a weekday
          H * * * *         | minute: 'H': 'H' is not supported; write a number
          0 0 30 2 *        | never fires: there is no day 30 in February; change the day or the month
          0 0 31 4,jun */2  | never fires: there is no day 31 in April or June; change the day or the month
          """)
  void says_what_is_wrong_and_how_to_fix_it(String expression, String message) {
    assertThat(errors(expression)).containsExactly(message);
  }

  @Test
  void counts_the_fields() {
    assertThat(errors("0 0 8 * * 1"))
        .containsExactly(FIELDS + "6 were given; seconds are not supported");
    assertThat(errors("* * * *")).containsExactly(FIELDS + "4 were given");
    assertThat(errors("daily")).containsExactly(FIELDS + "1 was given");
    assertThat(errors("  ")).containsExactly(FIELDS + "0 were given");
  }

  @Test
  void reports_every_wrong_field() {
    assertThat(errors("61 25 * * 9"))
        .containsExactly(
            "minute: 61 is not 0 to 59",
            "hour: 25 is not 0 to 23",
            "weekday: 9 is not 0 to 7 or sun to sat");
  }

  @Test
  void refuses_what_other_tools_add() {
    assertThat(errors("@dayly").getFirst())
        .startsWith("unknown macro '@dayly'; did you mean '@daily'? (@annually, @daily, ");
    assertThat(errors("@reboot").getFirst()).startsWith("unknown macro '@reboot' (@annually, ");
    assertThat(errors("@every 5m"))
        .containsExactly(
            "'@every' is not supported; use every instead of cron: {\"every\": \"5m\"}");
    assertThat(errors("CRON_TZ=Europe/Paris 0 8 * * *"))
        .containsExactly("'TZ=' is not supported; put the name of the zone into the field zone");
    assertThat(errors("0".repeat(501)))
        .containsExactly("has 501 characters, at most 500 are allowed");
  }

  @Test
  void february_30_is_fine_beside_a_weekday() {
    assertThat(errors("0 0 30 2 5")).isEmpty();
    assertThat(errors("0 0 29 2 *")).isEmpty();
    assertThat(errors("0 0 31 jul *")).isEmpty();
  }

  @Test
  void a_trigger_throws_all_errors() {
    assertThatThrownBy(() -> Trigger.cron("61 24 * * *", ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("minute: 61 is not 0 to 59; hour: 24 is not 0 to 23");
  }

  private static List<Integer> values(
      String expression, Function<CronExpression, FieldValues> field) {
    return field.apply(parse(expression)).list();
  }

  private static CronExpression parse(String expression) {
    List<String> errors = new ArrayList<>();
    CronExpression parsed = CronParser.parse(expression, errors);
    assertThat(errors).isEmpty();
    return Objects.requireNonNull(parsed);
  }

  private static List<String> errors(String expression) {
    List<String> errors = new ArrayList<>();
    CronExpression parsed = CronParser.parse(expression, errors);
    assertThat(parsed == null).isEqualTo(!errors.isEmpty());
    return errors;
  }
}
