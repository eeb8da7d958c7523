// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A server with schedules, on each database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
abstract class ScheduleRoutesFixture {

  static final String BOOKING =
      """
      {"name": "booking", "trigger": {"cron": "0 8 * * 1-5", "zone": "Europe/Paris"},
       "task": {"kind": "book", "payload": {"court": 3}},
       "retry": {"backoff": {"type": "ladder", "steps": [{"count": 5, "delay": "5m"},
         {"count": 5, "delay": "10m"}, {"count": 0, "delay": "1h"}]},
         "retry_on": ["code:no_slots"]}}""";

  private final TestDatabase database;
  @TempDir private Path folder;
  TestServer server;

  ScheduleRoutesFixture(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    server =
        database.server(
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                Settings.MAX_TASKS_PER_REQUEST,
                "20000"));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  static JsonNode ok(RawResponse response) {
    assertThat(response.status()).as(response.body()).isBetween(200, 201);
    return response.json();
  }

  JsonNode create(String body) throws IOException {
    RawResponse response = server.post("/schedule", body);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json();
  }

  JsonNode show(String name) throws IOException {
    return ok(server.get("/schedule/" + name));
  }

  List<String> errors(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(400);
    List<String> errors = new ArrayList<>();
    response
        .json()
        .get("errors")
        .forEach(
            one -> errors.add(one.get("path").asString() + ": " + one.get("message").asString()));
    return errors;
  }

  void fail(JsonNode lease, String code) throws IOException {
    ok(
        server.send(
            "PATCH",
            "/task/" + lease.get("id").asString(),
            "{\"status\": \"Failure\", \"failure_code\": \"%s\", \"failure_reason\": \"full\", \"epoch\": %d}"
                .formatted(code, lease.get("epoch").asLong())));
  }

  JsonNode claim() throws IOException {
    JsonNode claimed =
        ok(server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"book\"], \"limit\": 1}"));
    assertThat(claimed).hasSize(1);
    return claimed.get(0);
  }
}
