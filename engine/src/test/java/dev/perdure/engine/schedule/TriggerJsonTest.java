// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonValueReader;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class TriggerJsonTest {

  private static final ZoneId PARIS = ZoneId.of("Europe/Paris");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"cron\":\"0 8 * * 1-5\",\"zone\":\"Europe/Paris\"}",
        "{\"cron\":\"@daily\",\"zone\":\"UTC\"}",
        "{\"cron\":\"0 8 * * *\",\"zone\":\"+02:00\"}",
        "{\"every\":\"5m\"}",
        "{\"at\":\"08:00\",\"zone\":\"UTC\"}",
        "{\"at\":\"23:59\",\"days\":[\"mon\",\"thu\",\"sun\"],\"zone\":\"Europe/Paris\"}"
      })
  void writes_what_it_has_read(String json) {
    Trigger trigger = TriggerJson.parse(json);

    assertThat(TriggerJson.write(trigger)).hasToString(json);
    assertThat(trigger).hasToString(json);
    assertThat(TriggerJson.parse(json)).isEqualTo(trigger).hasSameHashCodeAs(trigger);
  }

  @Test
  void the_zone_is_utc_and_the_days_are_all_unless_given() {
    Trigger cron = Trigger.cron("0 8 * * *", ZoneOffset.UTC);
    Trigger at = Trigger.at(LocalTime.of(8, 0), ZoneOffset.UTC);

    assertThat(TriggerJson.parse("{\"cron\":\" 0  8 * * * \"}")).isEqualTo(cron);
    assertThat(TriggerJson.parse("{\"cron\":\"0 8 * * *\",\"zone\":null}")).isEqualTo(cron);
    assertThat(TriggerJson.parse("{\"cron\":\"0 8 * * *\",\"zone\":\"Z\"}")).isEqualTo(cron);
    assertThat(TriggerJson.parse("{\"at\":\"08:00\"}")).isEqualTo(at);
    assertThat(TriggerJson.parse("{\"at\":\"08:00\",\"days\":null}")).isEqualTo(at);
    assertThat(TriggerJson.parse("{\"every\":\"PT90S\"}"))
        .isEqualTo(Trigger.every(Duration.ofSeconds(90)));
  }

  @Test
  void days_may_be_spelled_out_and_have_any_case() {
    String json =
        "{\"at\":\"08:00\",\"days\":[\"Monday\",\"THU\",\"mon\"],\"zone\":\"Europe/Paris\"}";

    assertThat(TriggerJson.parse(json))
        .isEqualTo(
            Trigger.at(LocalTime.of(8, 0), PARIS, Set.of(DayOfWeek.THURSDAY, DayOfWeek.MONDAY)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "0 8 * * *"                           | trigger: must be an object, not '0 8 * * *'
          {}                                    | trigger: must have cron, every or at, such as {"cron": "0 8 * * 1-5"}
          {"cron": "* * * * *", "every": "5m"}  | trigger: has cron and every; keep one of them
          {"cron": 5}                           | trigger.cron: must be a string, not 5
          {"cron": "61 * * * *"}                | trigger.cron: minute: 61 is not 0 to 59
          {"cron": "@daily", "days": ["mon"]}   | trigger.days: belongs to at; put the weekdays into the fifth field of cron
          {"cron": "@daily", "zone": 1}         | trigger.zone: must be a string, not 1
          {"cron": "@daily", "zon": "UTC"}      | trigger.zon: unknown field; did you mean 'zone'? (known fields: cron, zone)
          {"every": "5"}                        | trigger.every: 5 has no unit: write "5s" for seconds
          {"every": "500ms"}                    | trigger.every: must be 1s to 366d, not 500ms
          {"every": "400d"}                     | trigger.every: must be 1s to 366d, not 400d
          {"every": "5m", "zone": "UTC"}        | trigger.zone: does not go with every, which counts elapsed time; remove it
          {"every": "5m", "days": ["mon"]}      | trigger.days: does not go with every, which counts elapsed time; use at or cron instead
          {"at": "8:00"}                        | trigger.at: '8:00' is not a time of day; write hours and minutes from "00:00" to "23:59"
          {"at": "24:00"}                       | trigger.at: '24:00' is not a time of day; write hours and minutes from "00:00" to "23:59"
          {"at": "08:00", "days": "mon"}        | trigger.days: must be an array, not 'mon'
          {"at": "08:00", "days": []}           | trigger.days: is empty; name at least one day, or leave it out for every day
          {"at": "08:00", "days": ["mon", "tus"]} | trigger.days[1]: unknown day 'tus'; did you mean 'tue'? (mon, tue, wed, thu, fri, sat, sun)
          """)
  void says_what_is_wrong_and_where(String json, String error) {
    assertThat(errors(json)).containsExactly(error);
  }

  @Test
  void suggests_a_zone() {
    assertThat(errors("{\"cron\": \"@daily\", \"zone\": \"europe/pari\"}"))
        .containsExactly(
            "trigger.zone: unknown zone 'europe/pari'; did you mean 'Europe/Paris'?"
                + " (write a name of the time zone database, such as \"Europe/Paris\")");
  }

  @Test
  void reports_every_error() {
    assertThat(errors("{\"cron\": \"61 24 * * *\", \"zone\": \"Nowhere/Land/At/All\", \"x\": 1}"))
        .hasSize(4);
    assertThat(errors("{\"at\": \"x\", \"days\": [1], \"zone\": 2}")).hasSize(3);
  }

  @Test
  void a_stored_trigger_that_is_wrong_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TriggerJson.parse("{\"every\":\"1ms\",\"zone\":\"UTC\"}"))
        .withMessageContaining("trigger.every: must be 1s to 366d, not 1ms");
  }

  @Test
  void a_time_of_day_has_whole_minutes_and_a_day() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trigger.at(LocalTime.of(8, 0, 1), PARIS))
        .withMessage("at: must be whole minutes, not 08:00:01");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trigger.at(LocalTime.of(8, 0), PARIS, Set.of()))
        .withMessage("days: must name at least one day");
  }

  private static List<String> errors(String json) {
    FieldErrors errors = new FieldErrors();
    Trigger trigger =
        TriggerJson.read(
            new JsonValueReader("trigger", JsonMapper.shared().readTree(json), errors));
    assertThat(errors.count() > 0 || trigger != null).isTrue();
    return errors.list().stream().map(String::valueOf).toList();
  }
}
