// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Schedules over HTTP. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ScheduleRoutesTest {

  private static final String BOOKING =
      """
      {"name": "booking", "trigger": {"cron": "0 8 * * 1-5", "zone": "Europe/Paris"},
       "task": {"kind": "book", "payload": {"court": 3}},
       "retry": {"backoff": {"type": "ladder", "steps": [{"count": 5, "delay": "5m"},
         {"count": 5, "delay": "10m"}, {"count": 0, "delay": "1h"}]},
         "retry_on": ["code:no_slots"]}}""";

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;

  ScheduleRoutesTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server =
        database.server(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static JsonNode ok(RawResponse response) {
    assertThat(response.status()).as(response.body()).isBetween(200, 201);
    return response.json();
  }

  private JsonNode create(String body) throws IOException {
    RawResponse response = server.post("/schedule", body);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json();
  }

  private JsonNode show(String name) throws IOException {
    return ok(server.get("/schedule/" + name));
  }

  private List<String> errors(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(400);
    List<String> errors = new ArrayList<>();
    response
        .json()
        .get("errors")
        .forEach(
            one -> errors.add(one.get("path").asString() + ": " + one.get("message").asString()));
    return errors;
  }

  private void fail(JsonNode lease, String code) throws IOException {
    ok(
        server.send(
            "PATCH",
            "/task/" + lease.get("id").asString(),
            "{\"status\": \"Failure\", \"failure_code\": \"%s\", \"failure_reason\": \"full\", \"epoch\": %d}"
                .formatted(code, lease.get("epoch").asLong())));
  }

  private JsonNode claim() throws IOException {
    JsonNode claimed =
        ok(server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"book\"], \"limit\": 1}"));
    assertThat(claimed).hasSize(1);
    return claimed.get(0);
  }

  @Test
  void a_schedule_is_created_and_shown() throws IOException {
    JsonNode created = create(BOOKING);

    assertThat(created.get("words").asString()).isEqualTo("every weekday at 08:00 Europe/Paris");
    assertThat(created.get("enabled").asBoolean()).isTrue();
    assertThat(created.get("overlap").asString()).isEqualTo("skip");
    assertThat(created.get("misfire").asString()).isEqualTo("fire_once");
    assertThat(created.get("task")).hasToString("{\"kind\":\"book\",\"payload\":{\"court\":3}}");
    assertThat(created.get("batch").isNull()).isTrue();
    assertThat(created.get("retry_words").asString())
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

  @Nested
  class Changes {

    @Test
    void pause_and_resume() throws IOException {
      create(BOOKING);

      JsonNode paused = ok(server.send("PATCH", "/schedule/booking", "{\"enabled\": false}"));
      assertThat(paused.get("enabled").asBoolean()).isFalse();
      assertThat(paused.get("next_at").isNull()).isTrue();
      assertThat(paused.get("next_firings")).isEmpty();
      assertThat(paused.get("task").get("kind").asString()).isEqualTo("book");
      assertThat(paused.get("retry").isNull()).isFalse();

      ok(server.post("/schedule/booking/trigger", "{}")); // Also while it is paused.
      JsonNode resumed = ok(server.send("PATCH", "/schedule/booking", "{\"enabled\": true}"));
      assertThat(resumed.get("next_at").isNull()).isFalse();
      assertThat(resumed.get("version").asLong()).isEqualTo(paused.get("version").asLong() + 1);
    }

    @Test
    void given_fields_change_and_others_stay() throws IOException {
      JsonNode before = create(BOOKING);

      JsonNode after =
          ok(
              server.send(
                  "PATCH",
                  "/schedule/booking",
                  "{\"retry\": null, \"trigger\": {\"every\": \"5m\"}, \"overlap\": \"allow\"}"));

      assertThat(after.get("retry").isNull()).isTrue();
      assertThat(
              after.get("retry_words").isNull()
                  || after.get("retry_words").asString().equals("no retries"))
          .isTrue();
      assertThat(after.get("words").asString()).isEqualTo("every 5 minutes");
      assertThat(after.get("overlap").asString()).isEqualTo("allow");
      assertThat(after.get("misfire")).isEqualTo(before.get("misfire"));
      assertThat(after.get("task")).isEqualTo(before.get("task"));
    }

    @Test
    void a_task_is_replaced_by_a_batch() throws IOException {
      create(BOOKING);

      JsonNode after =
          ok(
              server.send(
                  "PATCH", "/schedule/booking", "{\"batch\": {\"tasks\": [{\"kind\": \"a\"}]}}"));

      assertThat(after.get("task").isNull()).isTrue();
      assertThat(after.get("batch")).hasToString("{\"tasks\":[{\"kind\":\"a\"}]}");
    }

    @Test
    void an_old_version_is_refused() throws IOException {
      long version = create(BOOKING).get("version").asLong();
      ok(
          server.send(
              "PATCH", "/schedule/booking", "{\"enabled\": false, \"version\": " + version + "}"));

      RawResponse late =
          server.send(
              "PATCH", "/schedule/booking", "{\"enabled\": true, \"version\": " + version + "}");

      assertThat(late.status()).isEqualTo(409);
      assertThat(late.json().get("detail").asString()).contains("has changed");
    }

    @Test
    void put_replaces_everything_but_the_name() throws IOException {
      create(BOOKING);

      JsonNode after =
          ok(
              server.send(
                  "PUT",
                  "/schedule/booking",
                  "{\"trigger\": {\"every\": \"5m\"}, \"task\": {\"kind\": \"x\"}}"));
      assertThat(after.get("name").asString()).isEqualTo("booking");
      assertThat(after.get("retry").isNull()).isTrue();

      RawResponse renamed =
          server.send(
              "PUT",
              "/schedule/booking",
              "{\"name\": \"b\", \"trigger\": {\"every\": \"5m\"}, \"task\": {\"kind\": \"x\"}}");
      assertThat(errors(renamed))
          .containsExactly("name: cannot be changed; it is 'booking': create another schedule");
    }

    @Test
    void deleting_cancels_what_is_live() throws IOException {
      create(BOOKING);
      String task = ok(server.post("/schedule/booking/trigger", "{}")).get("task").asString();

      JsonNode deleted = ok(server.request("DELETE", "/schedule/booking"));

      assertThat(deleted.get("canceled").asInt()).isEqualTo(1);
      assertThat(deleted.get("name").asString()).isEqualTo("booking");
      assertThat(ok(server.get("/task/" + task)).get("status").asString()).isEqualTo("Canceled");
      assertThat(server.get("/schedule/booking").status()).isEqualTo(404);
    }

    @Test
    void each_is_in_the_audit_log() throws IOException {
      create(BOOKING);
      ok(server.send("PATCH", "/schedule/booking", "{\"enabled\": false}"));
      ok(server.send("PATCH", "/schedule/booking", "{\"enabled\": true}"));
      ok(server.send("PUT", "/schedule/booking", BOOKING));
      ok(server.post("/schedule/booking/trigger", "{}"));
      ok(server.request("DELETE", "/schedule/booking/retry"));
      ok(server.request("DELETE", "/schedule/booking"));

      JsonNode audit = ok(server.get("/audit?subject=booking"));

      assertThat(audit.findValuesAsString("action"))
          .containsExactly(
              "delete schedule",
              "cancel retries",
              "trigger schedule",
              "change schedule",
              "resume schedule",
              "pause schedule",
              "create schedule");
      assertThat(audit.get(6).get("detail").get("trigger").get("cron").asString())
          .isEqualTo("0 8 * * 1-5");
    }
  }

  @Nested
  class Secrets {

    private static final String HOOK =
        """
        {"name": "hook", "trigger": {"every": "1h"}, "task": {"kind": "call", "on_start":
          {"kind": "Webhook", "params": {"url": "http://localhost:1/in?token=t0psecret",
           "verb": "Post", "headers": {"Authorization": "Bearer t0psecret"}, "body": "t0psecret"}}}}""";

    @Test
    void of_webhooks_are_not_shown() throws IOException {
      create(HOOK);

      assertThat(server.get("/schedule/hook").body())
          .contains("on_start")
          .doesNotContain("t0psecret");
      assertThat(server.get("/schedule").body()).doesNotContain("t0psecret");
      assertThat(server.get("/audit").body()).doesNotContain("t0psecret");
    }

    @Test
    void stay_when_something_else_changes() throws IOException {
      create(HOOK);

      ok(server.send("PATCH", "/schedule/hook", "{\"retry\": {\"max_retries\": 1}}"));
      String task = ok(server.post("/schedule/hook/trigger", "{}")).get("task").asString();

      assertThat(ok(server.get("/task/" + task)).get("retry").get("max_retries").asInt())
          .isEqualTo(1);
      assertThat(
              ok(server.get("/task/" + task))
                  .get("actions")
                  .get("on_start")
                  .get("params")
                  .get("headers"))
          .hasToString("{\"Authorization\":\"…\"}");
    }

    /** Whoever sends back what the server shows would lose them. */
    @Test
    void that_are_hidden_cannot_be_sent_back() throws IOException {
      create(HOOK);
      JsonNode shown = show("hook").get("task");

      RawResponse sent =
          server.send(
              "PUT",
              "/schedule/hook",
              "{\"trigger\": {\"every\": \"1h\"}, \"task\": %s}".formatted(shown));

      assertThat(errors(sent)).anyMatch(error -> error.startsWith("task.on_start.params.body: "));
    }
  }

  @Nested
  class Errors {

    @Test
    void are_reported_all_at_once() throws IOException {
      RawResponse response =
          server.post(
              "/schedule",
              """
              {"trigger": {"cron": "61 8 * * *", "zone": "Europe/Pariss"},
               "task": {"kind": "", "retry": {"max_retries": -1}, "run_at": "2030-01-01T00:00:00Z"},
               "overlap": "skp", "misfire": "never", "colour": "red"}""");

      assertThat(errors(response).stream().map(error -> error.split(": ")[0]))
          .contains(
              "name",
              "trigger.cron",
              "trigger.zone",
              "task.kind",
              "task.retry.max_retries",
              "task.run_at",
              "overlap",
              "misfire",
              "colour");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            "task": {"kind": "a", "retry": {"max_retries": 1}}, "retry": {"max_retries": 2} | retry: is also in the task or batch that it submits: keep one of them
            "task": {"kind": "a"}, "retry": {"max_retries": "x"}                            | retry.max_retries: must be
            "task": {"kind": "a"}, "batch": [{"kind": "a"}]                                 | : has a 'task' and a 'batch': keep one of them
            "enabled": true                                                                 | : must have a 'task' or a 'batch'
            "task": [{"kind": "a"}]                                                         | task: must be an object
            "task": {"tasks": [{"kind": "a"}]}                                              | task: is a batch, because it has 'tasks': name the field 'batch'
            "batch": [{"kind": "a"}, {"kind": ""}]                                          | batch[1].kind:
            "batch": {"tasks": [{"kind": "a", "deadline": "2030-01-01T00:00:00Z"}]}         | batch.tasks[0].deadline: would have passed at later firings
            "task": {"kind": "a", "dependencies": [{"id": "0198e000-0000-7000-8000-000000000000"}]} | task.dependencies[0].id: a task of a schedule can only depend on tasks of the same firing
            """)
    void name_the_field_that_was_sent(String fields, String error) throws IOException {
      RawResponse response =
          server.post(
              "/schedule",
              "{\"name\": \"x\", \"trigger\": {\"every\": \"5m\"}, %s}".formatted(fields));

      assertThat(errors(response)).anyMatch(found -> found.startsWith(error));
      assertThat(server.get("/schedule").json()).isEmpty();
    }

    @Test
    void an_unknown_schedule_is_not_found() throws IOException {
      for (String path :
          List.of("/schedule/no%20such", "/schedule/0198e000-0000-7000-8000-000000000000")) {
        assertThat(server.get(path).status()).isEqualTo(404);
      }
      assertThat(server.get("/schedule/no%20such").json().get("detail").asString())
          .isEqualTo("there is no schedule 'no such'");
    }
  }

  @Nested
  class Preview {

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
      JsonNode warnings =
          preview("{\"at\": \"02:30\", \"zone\": \"Europe/Paris\"}").get("warnings");

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
}
