// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the drawing of a graph needs. */
class GraphRouteTest {

  private static final String GRAPH =
      """
      [{"kind": "a", "id": "a"}, {"kind": "%s", "id": "b", "dependencies": [{"id": "a"}]},
       {"kind": "c", "id": "c",
        "dependencies": [{"id": "a"}, {"id": "b", "requires_success": false}]}]""";

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.in(folder, Map.of(Settings.MAX_TASKS_PER_REQUEST, "20000"));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private JsonNode submit(String tasks) throws IOException {
    return server.post("/task", tasks).json();
  }

  private static String batch(JsonNode tasks) {
    return tasks.get(0).get("batch_id").stringValue();
  }

  @Test
  void links_can_be_given_by_index() throws IOException {
    JsonNode graph =
        server.get("/dag/%s?links=index".formatted(batch(submit(GRAPH.formatted("b"))))).json();

    assertThat(graph.get("tasks").findValuesAsString("local_id")).containsExactly("a", "b", "c");
    assertThat(graph.get("tasks").get(0).has("metadata")).isFalse();
    assertThat(graph.get("links").toString()).isEqualTo("[[0,1,1],[0,2,1],[1,2,0]]");
    assertThat(graph.get("run").intValue()).isZero();
  }

  @Test
  void an_earlier_run_is_shown_on_request() throws Exception {
    JsonNode tasks = submit(GRAPH.formatted("b"));
    String batch = batch(tasks);
    String first = tasks.get(0).get("id").stringValue();
    for (JsonNode task : tasks) {
      server.request("DELETE", "/task/" + task.get("id").stringValue());
    }
    RawResponse again = server.post("/batch/" + batch + "/retry", "{\"run\": \"new\"}");
    assertThat(again.status()).as(again.body()).isEqualTo(200);

    JsonNode earlier = server.get("/dag/%s?run=0&links=index".formatted(batch)).json();
    assertThat(earlier.get("run").intValue()).isZero();
    assertThat(earlier.get("tasks").findValuesAsString("id")).hasSize(3).contains(first);
    assertThat(earlier.get("links").toString()).isEqualTo("[[0,1,1],[0,2,1],[1,2,0]]");
    String second = "/dag/%s?run=1&links=index".formatted(batch);
    Eventually.await(() -> server.get(second).status(), status -> status == 200);
    JsonNode current = server.get(second).json();
    assertThat(current.get("run").intValue()).isOne();
    assertThat(current.get("tasks").findValuesAsString("id")).hasSize(3).doesNotContain(first);
    assertThat(current.get("links")).hasSize(3);
    assertThat(server.get("/dag/%s?run=2".formatted(batch)).status()).isEqualTo(404);
    assertThat(server.get("/dag/%s?run=x".formatted(batch)).status()).isEqualTo(400);
  }

  @Test
  void the_shape_depends_on_kinds_and_links_and_not_on_states() throws IOException {
    JsonNode tasks = submit(GRAPH.formatted("b"));
    String shape = shape(batch(tasks));

    server.request("DELETE", "/task/" + tasks.get(0).get("id").stringValue());

    assertThat(shape(batch(tasks))).isEqualTo(shape);
    assertThat(shape(batch(submit(GRAPH.formatted("b"))))).isEqualTo(shape);
    assertThat(shape(batch(submit(GRAPH.formatted("x"))))).isNotEqualTo(shape);
    assertThat(shape(batch(submit(GRAPH.formatted("b").replace("false", "true")))))
        .isNotEqualTo(shape);
  }

  private String shape(String batch) throws IOException {
    return server.get("/dag/" + batch).json().get("shape").stringValue();
  }

  @Test
  void only_changed_tasks_are_shown_on_request() throws IOException {
    String path = "/dag/%s?links=index&since=".formatted(batch(submit(GRAPH.formatted("b"))));

    JsonNode all = server.get(path + "2020-01-01T00:00:00Z").json();
    assertThat(all.get("tasks")).hasSize(3);
    assertThat(all.get("links")).isEmpty();
    assertThat(server.get(path + "2100-01-01T00:00:00Z").json().get("tasks")).isEmpty();
    assertThat(server.get(path + "yesterday").status()).isEqualTo(400);
  }

  @Test
  void a_batch_of_more_than_10_000_tasks_is_too_large() throws IOException {
    String task = "{\"kind\": \"k\"}";
    String tasks = "[" + task + (", " + task).repeat(GraphRoute.MAX_TASKS) + "]";
    String batch = batch(submit(tasks));

    RawResponse refused = server.get("/dag/" + batch);
    assertThat(refused.status()).isEqualTo(413);
    assertThat(refused.json().get("detail").stringValue()).contains("more than the 10000 tasks");
  }
}
