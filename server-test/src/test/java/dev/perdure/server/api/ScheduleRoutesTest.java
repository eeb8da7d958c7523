// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Shows and fires schedules over HTTP. */
class ScheduleRoutesTest extends ScheduleRoutesFixture {

  ScheduleRoutesTest(TestDatabase database) {
    super(database);
  }

  @Test
  void a_schedule_is_created_and_shown() throws IOException {
    JsonNode created = create(BOOKING);

    assertThat(created.get("description").asString())
        .isEqualTo("every weekday at 08:00 Europe/Paris");
    assertThat(created.get("enabled").asBoolean()).isTrue();
    assertThat(created.get("overlap").asString()).isEqualTo("skip");
    assertThat(created.get("misfire").asString()).isEqualTo("fire_once");
    assertThat(created.get("task")).hasToString("{\"kind\":\"book\",\"payload\":{\"court\":3}}");
    assertThat(created.get("batch").isNull()).isTrue();
    assertThat(created.get("retry_description").asString())
        .startsWith("5 retries every 5 minutes, then 5 every 10 minutes, then every hour");
    assertThat(created.get("next_firings")).hasSize(10);
    assertThat(created.get("next_firings").get(0)).isEqualTo(created.get("next_at"));
    assertThat(created.get("last_firings")).isEmpty();
    assertThat(created.get("last").isNull()).isTrue();
    assertThat(created.get("retry_under_way")).isEmpty();
    assertThat(show("booking")).isEqualTo(created);
    assertThat(show(created.get("id").asString())).isEqualTo(created);
  }

  @Test
  void a_name_is_unique() throws IOException {
    create(BOOKING);

    RawResponse second = server.post("/schedule", BOOKING);

    assertThat(second.status()).isEqualTo(409);
    assertThat(second.json().get("detail").asString())
        .isEqualTo("there is already a schedule named 'booking'");
  }

  @Test
  void lists_are_paged_by_name() throws IOException {
    for (String name : List.of("c", "a", "b")) {
      create(BOOKING.replace("\"booking\"", "\"" + name + "\""));
    }
    RawResponse first = server.get("/schedule?page_size=2");
    RawResponse second = server.get("/schedule?page_size=2&after=b");

    assertThat(first.json().findValuesAsString("name")).containsExactly("a", "b");
    assertThat(first.header("Link")).contains("</schedule?page_size=2&after=b>; rel=\"next\"");
    assertThat(second.json().findValuesAsString("name")).containsExactly("c");
    assertThat(second.header("Link")).isEmpty();
  }

  @Test
  void it_fires_by_itself() throws Exception {
    create(
        "{\"name\": \"often\", \"trigger\": {\"every\": \"1s\"}, \"task\": {\"kind\": \"book\"}, \"overlap\": \"allow\"}");

    Eventually.await(() -> show("often").get("last_firings"), found -> found.size() > 1);

    JsonNode firings = show("often").get("last_firings");
    assertThat(firings.get(0).get("outcome").asString()).isEqualTo("fired");
    assertThat(firings.get(0).get("manual").asBoolean()).isFalse();
    Instant newest = Instant.parse(firings.get(0).get("scheduled_for").asString());
    Instant before = Instant.parse(firings.get(1).get("scheduled_for").asString());
    assertThat(newest).isEqualTo(before.plusSeconds(1));
  }

  @Test
  void the_retry_under_way_has_its_badge_and_is_canceled_alone() throws IOException {
    create(BOOKING);
    JsonNode fired = ok(server.post("/schedule/booking/trigger", "{}"));
    fail(claim(), "no_slots");

    JsonNode retry = show("booking").get("retry_under_way").get(0);
    assertThat(retry.get("task")).isEqualTo(fired.get("task"));
    assertThat(retry.get("badge").asString()).isEqualTo("attempt 1/5, step 1/3");
    assertThat(retry.get("status").asString()).isEqualTo("RetryPending");
    assertThat(retry.get("failure_code").asString()).isEqualTo("no_slots");
    assertThat(Instant.parse(retry.get("next_retry_at").asString())).isAfter(Instant.EPOCH);
    JsonNode row = ok(server.get("/schedule")).get(0);
    assertThat(row.get("retry_under_way").get(0)).isEqualTo(retry);
    assertThat(row.get("last").get("status").asString()).isEqualTo("RetryPending");

    assertThat(ok(server.request("DELETE", "/schedule/booking/retry")).get("canceled").asInt())
        .isEqualTo(1);
    JsonNode after = show("booking");
    assertThat(after.get("retry_under_way")).isEmpty();
    assertThat(after.get("enabled").asBoolean()).isTrue();
    assertThat(after.get("last_firings").get(0).get("status").asString()).isEqualTo("Canceled");
    assertThat(after.get("last_firings").get(0).get("manual").asBoolean()).isTrue();
  }

  @Test
  void only_the_named_retry_is_canceled() throws IOException {
    create(BOOKING);
    String first = ok(server.post("/schedule/booking/trigger", "{}")).get("task").asString();
    fail(claim(), "no_slots");
    ok(server.post("/schedule/booking/trigger", "{}"));
    fail(claim(), "no_slots");

    JsonNode canceled = ok(server.request("DELETE", "/schedule/booking/retry?task=" + first));

    assertThat(canceled.get("canceled").asInt()).isEqualTo(1);
    assertThat(show("booking").get("retry_under_way").findValuesAsString("task"))
        .hasSize(1)
        .doesNotContain(first);
    assertThat(errors(server.request("DELETE", "/schedule/booking/retry?task=x")))
        .containsExactly("task: 'x' is not a task id");
  }

  @Test
  void another_failure_is_not_retried() throws IOException {
    create(BOOKING);
    ok(server.post("/schedule/booking/trigger", "{}"));

    fail(claim(), "card_declined");

    assertThat(show("booking").get("retry_under_way")).isEmpty();
    assertThat(show("booking").get("last").get("status").asString()).isEqualTo("Failure");
  }

  @Test
  void a_batch_that_will_run_again_is_shown_and_canceled() throws Exception {
    create(
        """
        {"name": "pair", "trigger": {"every": "1h"},
         "batch": [{"kind": "book", "name": "one"}, {"kind": "book", "name": "two"}],
         "retry": [{"count": 2, "delay_minutes": 5}]}""");
    JsonNode fired = ok(server.post("/schedule/pair/trigger", "{}"));
    assertThat(fired.get("task").isNull()).isTrue();
    fail(claim(), "no_slots");
    fail(claim(), "no_slots");
    Eventually.await(() -> show("pair").get("retry_under_way"), found -> found.size() == 1);
    JsonNode retry = show("pair").get("retry_under_way").get(0);
    assertThat(retry.get("batch_id")).isEqualTo(fired.get("batch_id"));
    assertThat(retry.get("status").asString()).isEqualTo("RetryPending");

    assertThat(ok(server.request("DELETE", "/schedule/pair/retry")).get("canceled").asInt())
        .isEqualTo(1);

    assertThat(show("pair").get("retry_under_way")).isEmpty();
  }

  private JsonNode preview(String trigger) throws IOException {
    return ok(server.post("/schedule/preview", "{\"trigger\": %s}".formatted(trigger)));
  }

  @Test
  void shows_the_next_firings_in_words_and_instants() throws IOException {
    JsonNode shown = preview("{\"every\": \"90s\"}");

    assertThat(shown.get("words").asString()).isEqualTo("every 90 seconds");
    assertThat(shown.get("next")).hasSize(10);
    assertThat(shown.get("warnings")).isEmpty();
    assertThat(server.get("/schedule").json()).isEmpty();
  }

  @Test
  void warns_of_times_that_the_clock_skips_or_repeats() throws IOException {
    JsonNode warnings = preview("{\"at\": \"02:30\", \"zone\": \"Europe/Paris\"}").get("warnings");

    assertThat(warnings.findValuesAsString("text"))
        .hasSize(2)
        .anyMatch(
            text ->
                text.matches(
                    "02:30 does not exist on \\d{4}-03-\\d\\d in Europe/Paris: it fires at 03:00"))
        .anyMatch(
            text ->
                text.matches(
                    "02:30 happens twice on \\d{4}-10-\\d\\d in Europe/Paris: it fires the first time only"));
    assertThat(preview("{\"at\": \"04:30\", \"zone\": \"Europe/Paris\"}").get("warnings"))
        .isEmpty();
    assertThat(preview("{\"cron\": \"30 * * * *\", \"zone\": \"Europe/Paris\"}").get("warnings"))
        .isEmpty();
  }

  @Test
  void says_what_is_wrong() throws IOException {
    assertThat(
            errors(
                server.post(
                    "/schedule/preview",
                    "{\"trigger\": {\"cron\": \"0 25 * * *\"}, \"count\": 1000}")))
        .anyMatch(error -> error.startsWith("trigger.cron: "))
        .anyMatch(error -> error.startsWith("count: "));
  }
}
