// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Batches over HTTP: statistics, graphs, stop, retry and resolve. */
class BatchRoutesTest {

  private static final String CHAIN =
      """
      {"name": "May", "context": {"month": 5}, "tasks": [
        {"kind": "job", "id": "import", "name": "Import"},
        {"kind": "other", "id": "report", "dependencies": [{"id": "import"}]},
        {"kind": "other", "id": "mail", "dependencies": [{"id": "report"}]},
        {"kind": "other", "id": "tidy", "dependencies": [{"id": "import", "requires_success": false}]}]}""";

  @TempDir private Path folder;
  private TestServer server;
  private TestApiClient client;
  private String batch;
  private Map<String, String> ids;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.in(folder);
    client = new TestApiClient(server);
    submit(CHAIN);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void submit(String body) throws IOException {
    RawResponse created = server.post("/task", body);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    batch = created.header("X-Batch-ID");
    ids =
        created
            .json()
            .valueStream()
            .collect(
                Collectors.toMap(
                    task -> task.get("local_id").stringValue(),
                    task -> task.get("id").stringValue()));
  }

  private String id(String localId) {
    return requireNonNull(ids.get(localId));
  }

  private JsonNode show() throws IOException {
    RawResponse shown = server.get("/batch/" + batch);
    assertThat(shown.status()).as(shown.body()).isEqualTo(200);
    return shown.json();
  }

  private void failImport() throws Exception {
    client.settleOne("\"status\": \"Failure\", \"failure_reason\": \"no file\"");
    awaitStatus("mail", "Failure");
  }

  private void awaitStatus(String task, String status) throws Exception {
    Eventually.await(() -> client.status(id(task)), status::equals);
  }

  private String lastAction() throws IOException {
    return server.get("/audit").json().get(0).get("action").stringValue();
  }

  @Nested
  class Showing {

    @Test
    void shows_a_live_batch() throws IOException {
      JsonNode shown = show();

      assertThat(shown.get("batch_id").stringValue()).isEqualTo(batch);
      assertThat(shown.get("name").stringValue()).isEqualTo("May");
      assertThat(shown.get("context")).hasToString("{\"month\":5}");
      assertThat(shown.get("run").intValue()).isZero();
      assertThat(shown.get("total_tasks").intValue()).isEqualTo(4);
      assertThat(shown.get("status_counts"))
          .hasToString(
              "{\"waiting\":3,\"pending\":1,\"claimed\":0,\"running\":0,\"retry_pending\":0,"
                  + "\"paused\":0,\"parked\":0,\"success\":0,\"failure\":0,\"canceled\":0}");
      assertThat(shown.get("progress").doubleValue()).isZero();
      assertThat(shown.get("total_expected").isNull()).isTrue();
      assertThat(shown.get("ended_at").isNull()).isTrue();
      assertThat(shown.get("first_created_at")).isEqualTo(shown.get("created_at"));
      assertThat(shown.get("runs")).hasSize(1);
      assertThat(shown.get("runs").get(0).get("outcome").isNull()).isTrue();
      assertThat(shown.get("runs").get(0).get("started_at")).isEqualTo(shown.get("created_at"));
    }

    @Test
    void a_paused_task_counts_as_paused_only() throws IOException {
      server.send("PATCH", "/task/pause/" + id("report"), "");
      assertThat(show().get("status_counts").get("paused").intValue()).isEqualTo(1);
      assertThat(show().get("status_counts").get("waiting").intValue()).isEqualTo(2);
    }

    @Test
    void shows_how_a_batch_ended_and_the_first_failure() throws Exception {
      failImport();
      server.send("DELETE", "/task/" + id("tidy"), "");

      JsonNode shown = show();
      assertThat(shown.get("ended_at").isNull()).isFalse();
      assertThat(shown.get("progress").doubleValue()).isEqualTo(1);
      JsonNode run = shown.get("runs").get(0);
      assertThat(run.get("outcome").stringValue()).isEqualTo("failure");
      assertThat(run.get("failure").stringValue()).isEqualTo("no file");
      assertThat(run.get("ended_at")).isEqualTo(shown.get("ended_at"));
    }

    @Test
    void progress_counts_items_if_all_tasks_know_their_number() throws IOException {
      submit("[{\"kind\": \"count\", \"id\": \"a\", \"expected_count\": 8}]");
      server.send("PATCH", "/task/" + id("a"), "{\"expected_count\": 10}");
      server.post("/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"count\"]}");
      client.put(id("a"), "{\"epoch\": 1, \"new_success\": 3, \"new_failures\": 1}");

      JsonNode shown = show();
      assertThat(shown.get("progress").doubleValue()).isEqualTo(0.4);
      assertThat(shown.get("total_expected").intValue()).isEqualTo(10);
      assertThat(shown.get("total_success").intValue()).isEqualTo(3);
      assertThat(shown.get("total_failures").intValue()).isEqualTo(1);
    }

    @Test
    void shows_the_graph() throws IOException {
      JsonNode graph = server.get("/dag/" + batch).json();

      assertThat(graph.get("tasks").findValuesAsString("local_id"))
          .containsExactlyInAnyOrder("import", "report", "mail", "tidy");
      assertThat(
              graph
                  .get("links")
                  .valueStream()
                  .map(
                      link ->
                          link.get("parent_id").stringValue()
                              + link.get("child_id").stringValue()
                              + link.get("requires_success")))
          .containsExactlyInAnyOrder(
              id("import") + id("report") + "true",
              id("report") + id("mail") + "true",
              id("import") + id("tidy") + "false");
      assertThat(graph.get("truncated").booleanValue()).isFalse();
    }

    @Test
    void a_graph_shows_dependencies_on_tasks_of_other_batches() throws IOException {
      String parent = id("import");
      submit(
          "{\"kind\": \"k\", \"id\": \"later\", \"dependencies\": [{\"id\": \"%s\"}]}"
              .formatted(parent));
      JsonNode graph = server.get("/dag/" + batch).json();
      assertThat(graph.get("tasks")).hasSize(1);
      assertThat(graph.get("links").get(0).get("parent_id").stringValue()).isEqualTo(parent);
    }

    @ParameterizedTest
    @CsvSource({
      "GET, /batch/%s",
      "GET, /dag/%s",
      "DELETE, /batch/%s",
      "POST, /batch/%s/retry",
    })
    void an_unknown_batch_is_a_404(String method, String path) throws IOException {
      RawResponse unknown = server.send(method, path.formatted(TestApiClient.UNKNOWN_ID), "");
      assertThat(unknown.status()).isEqualTo(404);
      assertThat(unknown.json().get("detail").stringValue())
          .isEqualTo("there is no batch " + TestApiClient.UNKNOWN_ID);
      assertThat(server.send(method, path.formatted("nope"), "").status()).isEqualTo(404);
    }
  }

  @Nested
  class Stopping {

    @Test
    void cancels_what_is_live_and_can_be_repeated() throws IOException {
      client.settleOne("\"status\": \"Success\"");
      server.send("PATCH", "/task/pause/" + id("mail"), "");

      JsonNode stopped = server.send("DELETE", "/batch/" + batch, "").json();
      assertThat(stopped.get("batch_id").stringValue()).isEqualTo(batch);
      assertThat(stopped.get("canceled_paused").intValue()).isEqualTo(1);
      assertThat(stopped.get("already_terminal").intValue()).isEqualTo(1);
      int canceled =
          stopped.get("canceled_waiting").intValue() + stopped.get("canceled_pending").intValue();
      assertThat(canceled).isEqualTo(2);
      assertThat(lastAction()).isEqualTo("stop batch");
      assertThat(show().get("status_counts").get("canceled").intValue()).isEqualTo(3);
      assertThat(show().get("runs").get(0).get("outcome").stringValue()).isEqualTo("canceled");
      assertThat(show().get("stopped_at").isNull()).isFalse();

      JsonNode again = server.send("DELETE", "/batch/" + batch, "").json();
      assertThat(again.get("already_terminal").intValue()).isEqualTo(4);
    }
  }

  @Nested
  class Retrying {

    private RawResponse retry(String body) throws IOException {
      return server.send("POST", "/batch/" + batch + "/retry", body);
    }

    @Test
    void revives_what_failed_by_itself_and_the_others_come_back() throws Exception {
      failImport();
      server.send("DELETE", "/task/" + id("tidy"), "");

      RawResponse retried = retry("");
      assertThat(retried.status()).as(retried.body()).isEqualTo(200);
      assertThat(retried.json().get("revived").intValue()).isEqualTo(1);
      assertThat(retried.json().get("failed").intValue()).isEqualTo(3);
      assertThat(lastAction()).isEqualTo("retry batch");
      awaitStatus("mail", "Waiting");
      assertThat(client.status(id("report"))).isEqualTo("Waiting");
      assertThat(client.status(id("tidy"))).isEqualTo("Canceled");

      client.settleOne("\"status\": \"Success\"");
      awaitStatus("report", "Pending");
    }

    @Test
    void goes_on_until_all_failed_tasks_are_retried() throws Exception {
      int tasks = 120; // More than are retried in one transaction.
      submit(
          IntStream.range(0, tasks)
              .mapToObj("{\"kind\": \"many\", \"id\": \"%d\"}"::formatted)
              .collect(Collectors.joining(",", "[", "]")));
      server.post("/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"many\"], \"limit\": 120}");
      for (String id : ids.values()) {
        assertThat(client.patch(id, "{\"status\": \"Failure\"}").status()).isEqualTo(200);
      }

      assertThat(retry("").json().get("revived").intValue()).isEqualTo(tasks);
      assertThat(show().get("status_counts").get("pending").intValue()).isEqualTo(tasks);
    }

    @Test
    void is_refused_while_the_batch_is_live() throws IOException {
      RawResponse refused = retry("{}");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().get("detail").stringValue())
          .isEqualTo(
              "batch %s has tasks that have not ended: wait for them, or stop the batch"
                  .formatted(batch));
    }

    @Test
    void is_refused_without_a_failed_task() throws IOException {
      server.send("DELETE", "/batch/" + batch, "");
      RawResponse refused = retry("");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().get("detail").stringValue())
          .isEqualTo(
              "batch %s has no failed task: retry canceled tasks one by one, or with POST /task/bulk"
                  .formatted(batch));
    }

    @Test
    void is_refused_when_only_tasks_of_other_batches_failed() throws Exception {
      failImport();
      String outside = id("import");
      submit(
          "[{\"kind\": \"k\", \"id\": \"a\", \"dependencies\": [{\"id\": \"%s\"}]}]"
              .formatted(outside));
      awaitStatus("a", "Failure");
      RawResponse refused = retry("");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().get("detail").stringValue())
          .isEqualTo(
              ("the tasks of batch %s failed only because of tasks that were canceled or are in"
                      + " other batches: retry those, and these come back")
                  .formatted(batch));
    }

    @Test
    void a_bulk_retry_leaves_tasks_out_that_failed_because_of_others() throws Exception {
      failImport();
      RawResponse bulk =
          server.post(
              "/task/bulk",
              "{\"action\": \"retry\", \"filter\": {\"batch_id\": \"%s\", \"status\": \"Failure\"}}"
                  .formatted(batch));
      assertThat(bulk.status()).as(bulk.body()).isEqualTo(200);
      assertThat(bulk.json().get("changed").intValue()).isEqualTo(1);
      awaitStatus("mail", "Waiting");
    }

    @Test
    void a_task_can_be_retried_without_its_dependencies() throws Exception {
      failImport();
      String path = "/task/" + id("report") + "/retry";

      RawResponse refused = server.post(path, "{}");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().get("detail").stringValue())
          .contains("import (" + id("import") + ")");
      assertThat(server.post(path, "{\"ignore_dependencies\": \"yes\"}").status()).isEqualTo(400);
      assertThat(
              server
                  .post(path, "{\"ignore_dependencies\": true, \"at\": \"2030-01-01T00:00:00Z\"}")
                  .status())
          .isEqualTo(400);

      RawResponse retried = server.post(path, "{\"ignore_dependencies\": true}");
      assertThat(retried.status()).as(retried.body()).isEqualTo(200);
      assertThat(retried.json().get("status").stringValue()).isEqualTo("Pending");
      assertThat(server.get("/audit").json().get(0).get("detail"))
          .hasToString("{\"ignore_dependencies\":true}");
      awaitStatus("mail", "Waiting");
    }
  }

  @Nested
  class Resolving {

    private RawResponse resolve(String task, String body) throws IOException {
      return server.post("/task/" + id(task) + "/resolve", body);
    }

    @Test
    void marks_a_failed_task_as_succeeded_and_its_children_go_on() throws Exception {
      failImport();

      RawResponse resolved =
          resolve("import", "{\"result\": {\"rows\": 7}, \"reason\": \"imported by hand\"}");
      assertThat(resolved.status()).as(resolved.body()).isEqualTo(200);
      assertThat(resolved.json().get("status").stringValue()).isEqualTo("Success");
      assertThat(resolved.json().get("result")).hasToString("{\"rows\":7}");
      awaitStatus("report", "Pending");
      JsonNode last = client.show(id("import")).get("attempts").get(1);
      assertThat(last.get("outcome").stringValue()).isEqualTo("resolved");
      assertThat(last.get("message").stringValue()).isEqualTo("imported by hand");
      assertThat(lastAction()).isEqualTo("resolve");
      assertThat(server.get("/audit").json().get(0).get("detail"))
          .hasToString("{\"reason\":\"imported by hand\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"reason\": \"\"}", "{\"reason\": 7}", "{\"reason\": null}"})
    void needs_a_reason(String body) throws Exception {
      failImport();
      RawResponse refused = resolve("import", body);
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.json().get("errors").get(0).get("path").stringValue()).isEqualTo("reason");
    }

    @Test
    void is_refused_unless_the_task_failed() throws IOException {
      assertThat(resolve("import", "{\"reason\": \"x\"}").status()).isEqualTo(409);
    }
  }
}
