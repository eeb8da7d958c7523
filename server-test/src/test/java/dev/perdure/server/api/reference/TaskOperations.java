// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Calls the operations that show one task. */
final class TaskOperations {

  private TaskOperations() {}

  /** The task has two attempts, and has ended. */
  static void callAll(OpenApiClient client, String id) throws IOException {
    Map<String, String> task = Map.of("id", id);
    assertThat(client.call("getPlan", task).path("end").path("reason").asString())
        .isEqualTo("succeeded");
    assertThat(client.call("listSettings", Map.of())).hasSizeGreaterThan(20);
    assertThat(client.call("listAttempts", Map.of("id", id, "page_size", "1"))).hasSize(1);
    assertThat(client.call("getAttempt", Map.of("id", id, "epoch", "1")).path("epoch").asInt())
        .isEqualTo(1);
    assertThat(client.call("getTask", task).path("attempts_total").asInt()).isEqualTo(2);
  }

  /** The batch has two tasks and a link. */
  static void callGraph(OpenApiClient client, String batch) throws IOException {
    assertThat(client.call("getGraph", Map.of("id", batch)).path("links")).hasSize(1);
    JsonNode indexed =
        client.call(
            "getGraph", Map.of("id", batch, "links", "index", "since", "2020-01-01T00:00:00Z"));
    assertThat(indexed.path("tasks")).hasSize(2);
  }
}
