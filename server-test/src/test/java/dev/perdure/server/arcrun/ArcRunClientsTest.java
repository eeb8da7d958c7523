// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.arcrun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The calls of the clients of ArcRun: its Rust SDK, the handle of that SDK, its web page and its
 * test script. What does not work as there is listed in the guide.
 */
@Tag("slow")
class ArcRunClientsTest {

  private static final List<String> BASIC_FIELDS =
      List.of(
          "id",
          "name",
          "kind",
          "status",
          "created_at",
          "started_at",
          "success",
          "failures",
          "expected_count",
          "ended_at",
          "batch_id",
          "priority");

  @TempDir private Path folder;

  private WebhookReceiver receiver;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    receiver = WebhookReceiver.replyingOk();
    server =
        TestDatabase.SQLITE.server(
            folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
  }

  @AfterEach
  void stop() {
    server.close();
    receiver.close();
  }

  /** A task as the SDK's builder writes it; {@code more} begins with a comma. */
  private String task(String id, String kind, String more) {
    return "{\"id\": \"%s\", \"name\": \"Build %s\", \"kind\": \"%s\", \"on_start\": %s%s}"
        .formatted(id, id, kind, receiver.action("/start"), more);
  }

  private RawResponse create(String... tasks) throws IOException {
    return server.post("/task", "[" + String.join(", ", tasks) + "]");
  }

  private String createOne(String kind, String more) throws IOException {
    RawResponse created = create(task("one", kind, more));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json().get(0).get("id").stringValue();
  }

  private List<String> names(String query) throws IOException {
    RawResponse listed = server.get("/task" + query);
    assertThat(listed.status()).as(listed.body()).isEqualTo(200);
    return StreamSupport.stream(listed.json().spliterator(), false)
        .map(task -> task.get("name").stringValue())
        .toList();
  }

  private JsonNode shown(String id) throws IOException {
    return server.get("/task/" + id).json();
  }

  private String awaitRunning(String id) throws Exception {
    Eventually.await(() -> shown(id).get("status").stringValue(), "Running"::equals);
    return id;
  }

  @Nested
  class Health {

    @Test
    void health() throws Exception {
      RawResponse health = server.get("/health");
      assertThat(health.status()).isEqualTo(200);
      assertThat(health.json().get("status").stringValue()).isEqualTo("ok");
      Eventually.await(
          () -> server.get("/health").json().get("database").stringValue(), "healthy"::equals);
      assertThat(health.json().get("pool_size").isIntegralNumber()).isTrue();
      assertThat(health.json().get("pool_idle").isIntegralNumber()).isTrue();
    }

    @Test
    void ready() throws Exception {
      RawResponse ready = Eventually.await(() -> server.get("/ready"), r -> r.status() == 200);
      assertThat(ready.json().get("status").stringValue()).isEqualTo("ready");
    }
  }

  @Nested
  class Create {

    @Test
    void create_tasks() throws IOException {
      RawResponse created = create(task("a", "ci", ", \"timeout\": 300"), task("b", "ci", ""));

      assertThat(created.status()).isEqualTo(201);
      assertThat(created.header("X-Batch-ID")).isNotBlank();
      assertThat(created.json()).hasSize(2);
      assertThat(created.json().get(0).propertyNames()).containsAll(BASIC_FIELDS);
      assertThat(created.json().get(0).get("timeout").intValue()).isEqualTo(300);
      assertThat(created.json().get(1).get("timeout").intValue()).isEqualTo(60);
    }

    @Test
    void create_no_tasks() throws IOException {
      RawResponse created = server.post("/task", "[]");
      assertThat(created.status()).isEqualTo(204);
      assertThat(created.body()).isEmpty();
    }

    @Test
    void create_with_every_plain_field() throws IOException {
      String id =
          createOne(
              "ci",
              """
              , "timeout": 60, "metadata": {"projectId": 1251}, "expected_count": 10,
              "priority": 5, "on_success": [%s], "on_failure": [%s]"""
                  .formatted(receiver.action("/end"), receiver.action("/end")));

      JsonNode task = shown(id);
      assertThat(task.get("metadata").get("projectId").intValue()).isEqualTo(1251);
      assertThat(task.get("expected_count").intValue()).isEqualTo(10);
      assertThat(task.get("priority").intValue()).isEqualTo(5);
    }

    @Test
    void create_with_triggers_as_the_test_script() throws IOException {
      String start = receiver.action("/start").replaceFirst("\\{", "{\"trigger\": \"Start\", ");
      String end = receiver.action("/end").replaceFirst("\\{", "{\"trigger\": \"End\", ");

      RawResponse created =
          create(
              """
              {"id": "task-1", "name": "cluster", "kind": "cluster", "timeout": 60,
               "metadata": {"projectId": 1251}, "on_start": %s, "on_success": [%s],
               "on_failure": [%s]}"""
                  .formatted(start, end, end));
      assertThat(created.status()).as(created.body()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({"dependencies", "rules", "dedupe_strategy"})
    void nothing_to_wait_for(String field) throws IOException {
      createOne("ci", ", \"" + field + "\": []");
      createOne("ci", ", \"" + field + "\": null");
      createOne("ci", ", \"dead_end_barrier\": false");
    }
  }

  @Nested
  class Read {

    @Test
    void get_task() throws IOException {
      JsonNode task = shown(createOne("ci", ""));

      assertThat(task.propertyNames()).containsAll(BASIC_FIELDS).contains("timeout", "actions");
      assertThat(task.propertyNames()).contains("metadata", "last_updated", "failure_reason");
      assertThat(task.get("rules")).hasToString("[]");
      assertThat(server.get("/task/" + TestApiClient.UNKNOWN_ID).status()).isEqualTo(404);
    }

    @Test
    void get_task_shows_the_rules_as_they_were_created() throws IOException {
      String rules =
          """
          [{"type":"Concurency","max_concurency":1,"matcher":{"kind":"ci","status":"Running",\
          "fields":["projectId"]}},\
          {"type":"Capacity","max_capacity":100,"matcher":{"kind":"ci","status":"Running",\
          "fields":[]}}]""";

      JsonNode task =
          shown(
              createOne(
                  "ci",
                  ", \"metadata\": {\"projectId\": 1}, \"expected_count\": 3, \"rules\": "
                      + rules));

      assertThat(task.get("rules")).hasToString(rules);
    }

    @Test
    void list_tasks() throws IOException {
      RawResponse created = create(task("a", "ci", ""), task("b", "ci", ""));

      assertThat(names("")).containsExactly("Build b", "Build a");
      assertThat(server.get("/task").json().get(0).propertyNames()).containsAll(BASIC_FIELDS);
      assertThat(names("?batch_id=" + created.header("X-Batch-ID"))).hasSize(2);
    }

    @Test
    void list_pages_from_0() throws IOException {
      create(task("a", "ci", ""), task("b", "ci", ""), task("c", "ci", ""));

      assertThat(names("?page=0&page_size=2")).containsExactly("Build c", "Build b");
      assertThat(names("?page=1&page_size=2")).containsExactly("Build a");
      assertThat(names("?page=2&page_size=2")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
      "name=uild m, Build me",
      "name=%3DBuild me, Build me",
      "name=%3DBuild, ",
      "kind=ploy, Build me",
      "kind=%3Ddeploy, Build me",
      "kind=%3Dploy, ",
      "timeout=17, Build me",
      "metadata=%7B%22customer%22:42%7D, Build me",
    })
    void list_with_a_filter(String query, String found) throws IOException {
      create(
          task("me", "deploy", ", \"timeout\": 17, \"metadata\": {\"customer\": 42}"),
          task("other", "ci", ""));

      assertThat(names("?" + query.replace(" ", "%20")))
          .isEqualTo(found == null ? List.of() : List.of(found));
    }

    @Test
    void list_with_a_status() throws Exception {
      awaitRunning(createOne("ci", ""));
      assertThat(names("?status=Running")).hasSize(1);
      assertThat(names("?status=Success")).isEmpty();
    }
  }

  @Nested
  class Update {

    private void patch(String id, String body) throws IOException {
      RawResponse patched = server.send("PATCH", "/task/" + id, body);
      assertThat(patched.status()).as(patched.body()).isEqualTo(200);
    }

    @Test
    void succeed_task() throws Exception {
      String id = awaitRunning(createOne("ci", ""));
      patch(id, "{\"status\": \"Success\"}");
      assertThat(shown(id).get("status").stringValue()).isEqualTo("Success");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", \"failure_reason\": \"no space\""})
    void fail_task(String reason) throws Exception {
      String id = awaitRunning(createOne("ci", ""));
      patch(id, "{\"status\": \"Failure\"" + reason + "}");
      assertThat(shown(id).get("status").stringValue()).isEqualTo("Failure");
      assertThat(shown(id).get("failure_reason").isNull()).isEqualTo(reason.isEmpty());
    }

    @Test
    void update_fields() throws IOException {
      String id = createOne("ci", "");
      patch(id, "{\"metadata\": {\"a\": 1}, \"expected_count\": 3, \"priority\": 7}");
      assertThat(shown(id).get("metadata")).hasToString("{\"a\":1}");
      assertThat(shown(id).get("priority").intValue()).isEqualTo(7);
    }

    @Test
    void batch_update() throws Exception {
      String id = awaitRunning(createOne("ci", ""));
      RawResponse counted =
          server.send("PUT", "/task/" + id, "{\"new_success\": 10, \"new_failures\": 2}");
      assertThat(counted.status()).isEqualTo(202);
      assertThat(shown(id).get("success").intValue()).isEqualTo(10);
      assertThat(shown(id).get("failures").intValue()).isEqualTo(2);
    }

    @Test
    void cancel_task() throws IOException {
      String id = createOne("ci", "");
      assertThat(server.send("DELETE", "/task/" + id, "").status()).isEqualTo(200);
      assertThat(shown(id).get("status").stringValue()).isEqualTo("Canceled");
    }

    @Test
    void pause_task() throws IOException {
      String id = createOne("ci", "");
      assertThat(server.send("PATCH", "/task/pause/" + id, "").status()).isEqualTo(200);
    }
  }

  /** The callee has only the handle, and no key. */
  @Nested
  class Handle {

    private String id;
    private ReceivedCall start;

    @BeforeEach
    void startTask() throws Exception {
      id = createOne("ci", ", \"metadata\": {\"old\": true}");
      start = receiver.next("/start");
    }

    private void send(String method, String body, int status) throws IOException {
      RawResponse response = server.send(method, start.target(), body);
      assertThat(response.status()).as(response.body()).isEqualTo(status);
    }

    @Test
    void succeed() throws IOException {
      send("PATCH", "{\"status\": \"Success\"}", 200);
      assertThat(shown(id).get("status").stringValue()).isEqualTo("Success");
    }

    @Test
    void fail() throws IOException {
      send("PATCH", "{\"status\": \"Failure\", \"failure_reason\": \"no space\"}", 200);
      assertThat(shown(id).get("failure_reason").stringValue()).isEqualTo("no space");
    }

    @Test
    void report_progress() throws IOException {
      send("PUT", "{\"new_success\": 10, \"new_failures\": 2}", 202);
      assertThat(shown(id).get("success").intValue()).isEqualTo(10);
    }

    @Test
    void update_metadata() throws IOException {
      send("PATCH", "{\"metadata\": {\"step\": 2}}", 200);
      assertThat(shown(id).get("metadata")).hasToString("{\"step\":2}");
    }

    @Test
    void update_metadata_and_succeed() throws IOException {
      send("PATCH", "{\"status\": \"Success\", \"metadata\": {\"step\": 3}}", 200);
      assertThat(shown(id).get("metadata")).hasToString("{\"step\":3}");

      send("PATCH", "{\"metadata\": {\"step\": 4}}", 409);
      assertThat(shown(id).get("metadata")).as("after the end").hasToString("{\"step\":3}");
    }
  }

  @Test
  void update_batch_rules() throws IOException {
    String batch = create(task("a", "ci", "")).header("X-Batch-ID");
    String rules =
        """
        {"kind": "ci", "rules": [
          {"type": "Concurency", "max_concurency": 2,
           "matcher": {"status": "Running", "kind": "ci", "fields": []}}]}""";

    RawResponse changed = server.send("PATCH", "/batch/%s/rules".formatted(batch), rules);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.json())
        .hasToString("{\"batch_id\":\"%s\",\"kind\":\"ci\",\"updated_count\":1}".formatted(batch));
  }
}
