// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Calls the operations about limits as the OpenAPI document describes them. */
final class LimitOperations {

  private static final Map<String, String> SYNC = Map.of("kind", "sync");

  private LimitOperations() {}

  static void callAll(OpenApiClient client) throws IOException {
    ofTasks(client);
    ofKinds(client);
  }

  private static void ofTasks(OpenApiClient client) throws IOException {
    JsonNode submitted =
        client.call(
            "submitTasks",
            Map.of(),
            """
            [{"kind": "sync", "rules": [{"type": "Concurrency", "max_concurrency": 1}]},
             {"kind": "sync", "rules": [{"type": "Concurency", "max_concurency": 1}]},
             {"kind": "sync", "expected_count": 3,
              "rules": [{"type": "Rate", "max_starts": 1, "per": "1h", "burst": 1},
                        {"type": "Capacity", "max_capacity": 10, "matcher": {"fields": ["a"]}}]}]""");
    client.call(
        "claimTasks", Map.of(), "{\"worker\": \"w\", \"kinds\": [\"sync\"], \"limit\": 10}");

    assertThat(client.call("listLimits", Map.of("kind", "sync", "page_size", "1"))).hasSize(1);
    Map<String, String> batch = Map.of("id", submitted.path(0).path("batch_id").asString());
    JsonNode changed =
        client.call(
            "changeRules",
            batch,
            "{\"kind\": \"sync\", \"rules\": [{\"type\": \"Concurrency\", \"max_concurrency\": 1}]}");
    assertThat(changed.path("updated_count").asInt()).isEqualTo(3);
    assertThat(client.call("listLimits", Map.of()).findValuesAsString("type"))
        .containsExactly("capacity", "concurrency", "rate");
    for (JsonNode task : submitted) {
      client.call("getTask", Map.of("id", task.path("id").asString()));
    }
  }

  private static void ofKinds(OpenApiClient client) throws IOException {
    OverviewOperations.callAll(client);
    client.call("setKindLimits", SYNC, "{\"max_concurency\": 2}");
    client.call(
        "setKindLimits",
        SYNC,
        """
        {"max_concurrency": null, "rate": {"max_starts": 5, "per": "1s"}, "fields": []}""");
    assertThat(client.call("getKindLimits", SYNC).path("rate").path("burst").asInt()).isOne();
    assertThat(client.call("listLimits", SYNC).findValuesAsString("scope"))
        .contains("task", "kind");
    client.call("removeKindLimits", SYNC);
    assertThat(client.call("removeKindLimits", SYNC).path("status").asInt()).isEqualTo(404);
    assertThat(client.call("setKindLimits", SYNC, "{}").path("status").asInt()).isEqualTo(400);
  }
}
