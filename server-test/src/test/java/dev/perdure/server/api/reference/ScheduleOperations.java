// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Calls the operations about schedules as the OpenAPI document describes them. */
final class ScheduleOperations {

  private static final Map<String, String> SYNC = Map.of("id", "sync-all");

  private ScheduleOperations() {}

  static void callAll(OpenApiClient client) throws IOException {
    client.call(
        "createSchedule",
        Map.of(),
        """
        {"name": "sync-all", "trigger": {"cron": "0 8 * * 1-5", "zone": "Europe/Paris"},
         "task": {"kind": "scheduled"}, "retry": [{"count": 1, "delay_minutes": 5}],
         "overlap": "allow", "misfire": "skip", "enabled": true}""");
    client.call(
        "createSchedule",
        Map.of(),
        """
        {"name": "batch", "trigger": {"at": "02:30", "days": ["sun"], "zone": "Europe/Paris"},
         "batch": {"tasks": [{"kind": "scheduled"}, {"kind": "scheduled"}]}}""");
    JsonNode refused =
        client.call(
            "createSchedule",
            Map.of(),
            "{\"name\": \"x\", \"trigger\": {\"cron\": \"99 * * * *\"}, \"task\": {\"kind\": \"a\"}}");
    assertThat(status(refused)).isEqualTo(400);

    client.call("triggerSchedule", SYNC);
    client.call("triggerSchedule", Map.of("id", "batch"));
    JsonNode claimed =
        client.call("claimTasks", Map.of(), "{\"worker\": \"w\", \"kinds\": [\"scheduled\"]}");
    client.call(
        "updateTask",
        Map.of("id", claimed.path(0).path("id").asString()),
        "{\"status\": \"Failure\", \"failure_reason\": \"no\", \"epoch\": 1}");
    assertThat(client.call("listSchedules", Map.of("page_size", "1"))).hasSize(1);
    assertThat(client.call("getSchedule", SYNC).path("last_firings")).hasSize(1);
    client.call("getSchedule", Map.of("id", "batch"));

    client.call(
        "replaceSchedule",
        SYNC,
        "{\"trigger\": {\"every\": \"5m\"}, \"task\": {\"kind\": \"scheduled\"}}");
    client.call("changeSchedule", SYNC, "{\"enabled\": false}");
    client.call(
        "previewTrigger",
        Map.of(),
        "{\"trigger\": {\"at\": \"02:30\", \"zone\": \"Europe/Paris\"}}");
    client.call("cancelScheduleRetries", SYNC);
    client.call("deleteSchedule", SYNC);
    assertThat(status(client.call("deleteSchedule", SYNC))).isEqualTo(404);
  }

  private static int status(JsonNode problem) {
    return problem.path("status").asInt();
  }
}
