// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.arcrun;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The graph of ArcRun's test script, and what its clients read of it. */
@Tag("slow")
class ArcRunGraphTest {

  @TempDir private Path folder;
  private WebhookReceiver receiver;
  private TestServer server;
  private String batch;
  private Map<String, String> ids;
  private final Map<String, ReceivedCall> calls = new HashMap<>();

  @BeforeEach
  void submitTheGraph() throws IOException {
    receiver = WebhookReceiver.replyingOk();
    server = TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    RawResponse created =
        server.post(
            "/task",
            List.of(
                    task("root", "Build Project", "build", ""),
                    task("test-unit", "Unit Tests", "test", dependency("root", true)),
                    task("test-integration", "Integration Tests", "test", dependency("root", true)),
                    task("lint", "Lint Check", "lint", dependency("root", false)),
                    task(
                        "deploy",
                        "Deploy to Staging",
                        "deploy",
                        dependency("test-unit", true)
                            + ", "
                            + dependency("test-integration", true)
                            + ", "
                            + dependency("lint", false)))
                .toString());
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

  @AfterEach
  void stop() {
    server.close();
    receiver.close();
  }

  private static String dependency(String id, boolean requiresSuccess) {
    return "{\"id\": \"%s\", \"requires_success\": %s}".formatted(id, requiresSuccess);
  }

  private String task(String id, String name, String kind, String dependencies) {
    return """
        {"id": "%s", "name": "%s", "kind": "%s", "timeout": 120, "metadata": {"step": "%s"},
         "on_start": %s%s}"""
        .formatted(
            id,
            name,
            kind,
            kind,
            receiver.action("/" + id).replaceFirst("\\{", "{\"trigger\": \"Start\", "),
            dependencies.isEmpty() ? "" : ", \"dependencies\": [" + dependencies + "]");
  }

  /** Calls of tasks that run at the same time arrive in any order. */
  private ReceivedCall call(String id) throws InterruptedException {
    while (!calls.containsKey("/" + id)) {
      ReceivedCall next = receiver.next();
      calls.put(next.path(), next);
    }
    return requireNonNull(calls.get("/" + id));
  }

  private void finish(String id, String status) throws Exception {
    RawResponse done =
        server.send("PATCH", call(id).target(), "{\"status\": \"%s\"}".formatted(status));
    assertThat(done.status()).as(done.body()).isEqualTo(200);
  }

  private String status(String id) throws IOException {
    return server.get("/task/" + ids.get(id)).json().get("status").stringValue();
  }

  @Test
  void runs_in_the_order_of_the_dependencies() throws Exception {
    assertThat(status("deploy")).isEqualTo("Waiting");
    finish("root", "Success");
    finish("test-integration", "Success");
    finish("test-unit", "Success");
    assertThat(status("deploy")).isEqualTo("Waiting");
    finish("lint", "Failure");
    finish("deploy", "Success");
    JsonNode shown = server.get("/batch/" + batch).json();
    assertThat(shown.get("status_counts").get("success").intValue()).isEqualTo(4);
    assertThat(shown.get("status_counts").get("failure").intValue()).isEqualTo(1);
  }

  @Test
  void a_failure_reaches_those_that_require_success() throws Exception {
    finish("root", "Failure");
    Eventually.await(() -> status("deploy"), "Failure"::equals);
    finish("lint", "Success");
    assertThat(status("test-unit")).isEqualTo("Failure");
  }

  @Test
  void get_dag() throws IOException {
    JsonNode dag = server.get("/dag/" + batch).json();
    assertThat(dag.get("tasks").findValuesAsString("name")).hasSize(5).contains("Unit Tests");
    assertThat(dag.get("tasks").get(0).propertyNames())
        .contains("batch_id", "success", "failures", "expected_count", "priority");
    assertThat(dag.get("links")).hasSize(6);
    assertThat(dag.get("links").get(0).propertyNames())
        .containsExactly("parent_id", "child_id", "requires_success");
  }

  @Test
  void list_batches() throws IOException {
    RawResponse listed =
        server.get("/batches?page=0&page_size=20&kind=lint&name=Lint&status=Waiting");
    assertThat(listed.json()).hasSize(1);
    JsonNode row = listed.json().get(0);
    assertThat(row.get("batch_id").stringValue()).isEqualTo(batch);
    assertThat(row.get("total_tasks").intValue()).isEqualTo(5);
    assertThat(row.get("first_created_at").stringValue()).endsWith("Z");
    assertThat(row.get("latest_updated_at").stringValue()).endsWith("Z");
    assertThat(row.get("kinds")).hasToString("[\"build\",\"deploy\",\"lint\",\"test\"]");
    assertThat(row.get("status_counts").propertyNames())
        .contains(
            "waiting", "pending", "claimed", "running", "success", "failure", "paused", "canceled");
  }

  @Test
  void get_batch() throws IOException {
    assertThat(server.get("/batch/" + batch).json().propertyNames())
        .contains(
            "batch_id",
            "total_tasks",
            "total_success",
            "total_failures",
            "total_expected",
            "status_counts");
  }

  @Test
  void stop_batch() throws Exception {
    receiver.next("/root");
    JsonNode stopped = server.send("DELETE", "/batch/" + batch, "").json();
    assertThat(stopped.get("canceled_waiting").intValue()).isEqualTo(4);
    assertThat(stopped.propertyNames())
        .contains(
            "batch_id",
            "canceled_pending",
            "canceled_claimed",
            "canceled_running",
            "canceled_paused",
            "already_terminal");
    assertThat(ids.keySet()).allSatisfy(id -> assertThat(status(id)).as(id).isEqualTo("Canceled"));
  }
}
