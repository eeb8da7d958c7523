// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Changes and deletes schedules over HTTP, and hides the secrets of their webhooks. */
class ScheduleChangesTest extends ScheduleRoutesFixture {

  ScheduleChangesTest(TestDatabase database) {
    super(database);
  }

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PATCH | {"enabled": true}
          PATCH | {}
          PATCH | {"name": "hook", "trigger": {"every": "1h"}, "overlap": "skip", "version": VERSION}
          PATCH | {"trigger": {"every": "60m"}}
          PATCH | HOOK
          PUT   | HOOK
          """)
  void a_change_of_nothing_keeps_the_next_firing(String method, String body) throws IOException {
    JsonNode before = create(HOOK);

    JsonNode after =
        ok(
            server.send(
                method,
                "/schedule/hook",
                body.replace("HOOK", HOOK).replace("VERSION", before.get("version").asString())));

    assertThat(after).isEqualTo(before);
    assertThat(ok(server.get("/audit?subject=hook"))).hasSize(1);
  }

  @Test
  void the_same_name_is_no_change() throws IOException {
    create(BOOKING);

    for (String more : List.of("\"overlap\": \"allow\"", "\"task\": {\"kind\": \"x\"}")) {
      ok(server.send("PATCH", "/schedule/booking", "{\"name\": \"booking\", %s}".formatted(more)));
      assertThat(
              errors(
                  server.send(
                      "PATCH", "/schedule/booking", "{\"name\": \"b\", %s}".formatted(more))))
          .containsExactly("name: cannot be changed; it is 'booking': create another schedule");
    }
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
            after.get("retry_description").isNull()
                || after.get("retry_description").asString().equals("no retries"))
        .isTrue();
    assertThat(after.get("description").asString()).isEqualTo("every 5 minutes");
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
    ok(server.send("PATCH", "/schedule/booking", "{\"enabled\": true, \"overlap\": \"allow\"}"));
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
            "change schedule",
            "resume schedule",
            "pause schedule",
            "create schedule");
    assertThat(audit.get(7).get("detail").get("trigger").get("cron").asString())
        .isEqualTo("0 8 * * 1-5");
  }

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

  /** A client that sends back what the server shows would overwrite them. */
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
