// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.notify.ChannelSettings;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Checks that the OpenAPI document describes the API correctly. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class OpenApiTest {

  private static final String DEAD = "{\"action\":\"redeliver\",\"filter\":{\"state\":\"dead\"}}";
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** An endless stream and a redirect, which have their own tests. */
  private static final Set<String> NOT_CALLED = Set.of("streamEvents", "redirectHome");

  private final TestDatabase database;
  @TempDir private Path folder;
  private final OpenApi api = OpenApi.load();
  private TestServer server;
  private OpenApiClient client;

  OpenApiTest(TestDatabase database) {
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
                ChannelSettings.CHANNELS,
                "{\"ops\": {\"type\": \"slack\", \"url\": \"http://127.0.0.1:1/\"}}"));
    client = new OpenApiClient(api, server);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void describes_every_route_and_no_other() {
    assertThat(api.operations())
        .extracting(each -> each.method() + " " + each.path() + " " + each.role())
        .containsExactlyInAnyOrderElementsOf(
            server.apiRoutes().stream()
                .map(route -> route.method() + " " + route.pattern() + " " + route.role().text())
                .toList());
  }

  @Test
  void every_reference_resolves_and_operation_ids_are_unique() {
    assertThat(api.operations()).extracting(OpenApi.Operation::id).doesNotHaveDuplicates();
    List<JsonNode> references = references(api.document()).toList();
    assertThat(references).hasSizeGreaterThan(50).allSatisfy(node -> api.resolve(node));
  }

  private static Stream<JsonNode> references(JsonNode node) {
    Stream<JsonNode> inner = node.valueStream().flatMap(OpenApiTest::references);
    return node.has("$ref") ? Stream.concat(Stream.of(node), inner) : inner;
  }

  @Test
  void every_body_has_an_example_that_matches_its_schema() {
    for (OpenApi.Operation operation : api.operations()) {
      JsonNode content =
          operation.json().path("requestBody").path("content").path("application/json");
      if (!content.isMissingNode()) {
        assertThat(content.has("example")).as(operation.id()).isTrue();
        assertThat(SchemaValidator.problems(api, content.path("schema"), content.path("example")))
            .as(operation.id())
            .isEmpty();
      }
    }
  }

  @Test
  void a_client_built_from_the_document_can_call_every_operation() throws Exception {
    JsonNode submitted =
        client.call(
            "submitTasks",
            Map.of(),
            """
            [{"kind": "resize", "name": "ours", "payload": {"n": 1}, "metadata": {"a": 1},
              "retry": {"max_retries": 3, "backoff": {"type": "fixed", "delay": "1h"}}}]\
            """);
    String id = submitted.path(0).path("id").asString();
    Map<String, String> task = Map.of("id", id);
    assertThat(epochOfClaim()).isEqualTo(1);
    client.call("sendHeartbeat", task, "{\"epoch\": 1, \"lease\": \"30s\"}");
    JsonNode stale = client.call("sendHeartbeat", task, "{\"epoch\": 7}");
    assertThat(stale.path("status").asInt()).isEqualTo(409);
    client.call("addCounters", task, "{\"epoch\": 1, \"new_success\": 3}");
    JsonNode failed =
        client.call(
            "updateTask",
            task,
            "{\"status\": \"Failure\", \"failure_code\": \"no_slots\", \"epoch\": 1}");
    assertThat(failed.path("status").asString()).isEqualTo("RetryPending");
    assertThat(client.call("listRetries", Map.of("within", "2h", "kind", "resize"))).hasSize(1);
    assertThat(client.call("getRetryStatistics", Map.of()).path("pending").asInt()).isEqualTo(1);
    assertThat(client.call("getRetryWave", Map.of("by", "kind")).path("counts")).hasSize(60);
    client.call("pauseTask", task);
    client.call("resumeTask", task);
    client.call("retryTask", task, "{}");
    assertThat(epochOfClaim()).isEqualTo(2);
    client.call(
        "updateTask", task, "{\"status\": \"Success\", \"result\": {\"n\": 2}, \"epoch\": 2}");
    assertThat(client.call("getTask", task).path("status").asString()).isEqualTo("Success");
    TaskOperations.callAll(client, id);
    assertThat(client.call("cancelTask", task).path("status").asInt()).isEqualTo(409);
    assertThat(client.call("listTasks", Map.of("kind", "resize", "page_size", "10"))).hasSize(1);
    client.call(
        "runBulkAction", Map.of(), "{\"action\": \"cancel\", \"filter\": {\"kind\": \"resize\"}}");
    client.call("listDeliveryGroups", Map.of());
    callOtherOperations();
  }

  @Test
  void a_submission_can_be_repeated_as_described() throws IOException {
    Map<String, String> key = Map.of("Idempotency-Key", "order 42");
    JsonNode first = client.call("submitTasks", key, "{\"tasks\": [{\"kind\": \"resize\"}]}");
    JsonNode again = client.call("submitTasks", key, "{\"tasks\": [{\"kind\": \"resize\"}]}");

    assertThat(again).isEqualTo(first);
    assertThat(client.call("submitTasks", key, "{\"kind\": \"resize\"}").path("status").asInt())
        .isEqualTo(422);
    JsonNode wrong =
        client.call("submitTasks", Map.of("Idempotency-Key", "é"), "{\"kind\": \"k\"}");
    assertThat(wrong.path("status").asInt()).isEqualTo(400);
  }

  @Test
  void lists_are_searched_and_sorted_as_described() throws IOException {
    client.call(
        "submitTasks",
        Map.of(),
        "[{\"kind\": \"a\", \"metadata\": {\"customer\": 42}}, {\"kind\": \"b\"}]");

    assertThat(client.call("listTasks", Map.of("metadata", "{\"customer\": 42}"))).hasSize(1);
    assertThat(client.call("listTasks", Map.of("q", "b", "sort", "created_at"))).hasSize(1);
    JsonNode sorts =
        api.operations().stream()
            .filter(operation -> operation.id().equals("listTasks"))
            .flatMap(operation -> operation.parameters().stream())
            .filter(parameter -> parameter.path("name").asString().equals("sort"))
            .findFirst()
            .orElseThrow()
            .path("schema")
            .path("enum");
    assertThat(sorts).hasSize(4);
    for (JsonNode sort : sorts) {
      JsonNode response =
          client.call("listTasks", Map.of("sort", sort.asString(), "page_size", "1"));
      assertThat(response.isArray()).as("%s", sort).isTrue();
    }
  }

  /** Submits actions with only the required fields; run_at lies far ahead, so nothing is called. */
  @Test
  void the_required_fields_are_sufficient() throws IOException {
    JsonNode action = minimal(api.document().path("components").path("schemas").path("Action"));
    String task =
        """
        {"kind": "k", "run_at": "2100-01-01T00:00:00Z", "on_start": %1$s, "on_success": [%1$s], "on_failure": [%1$s],
         "on_retry": [%1$s], "on_cancel": [%1$s]}"""
            .formatted(action);

    assertThat(client.call("submitTasks", Map.of(), task).isArray()).as(task).isTrue();
    String timed = task.replace("\"verb\"", "\"timeout\": \"5s\", \"verb\"");
    assertThat(client.call("submitTasks", Map.of(), timed).isArray()).as(timed).isTrue();
  }

  /** A value with only the fields that its schema requires. */
  private JsonNode minimal(JsonNode given) {
    JsonNode schema = api.resolve(given);
    if (schema.has("enum")) {
      return schema.path("enum").path(0);
    }
    if (schema.path("type").asString().equals("object")) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      schema
          .path("required")
          .forEach(
              name ->
                  object.set(
                      name.asString(), minimal(schema.path("properties").path(name.asString()))));
      return object;
    }
    return JsonNodeFactory.instance.stringNode("https://example.org/");
  }

  private long epochOfClaim() throws IOException {
    JsonNode leases =
        client.call(
            "claimTasks",
            Map.of(),
            "{\"worker\": \"w\", \"kinds\": [\"resize\"], \"wait\": \"10s\","
                + " \"include\": [\"batch\"]}");
    assertThat(leases).hasSize(1);
    return leases.path(0).path("epoch").asLong();
  }

  private void callOtherOperations() throws Exception {
    String policy = "{\"policy\": {\"preset\": \"http\"}}";
    client.call("explainPolicy", Map.of(), policy);
    String expiring = policy.replace("}}", ", \"expires_at\": \"2100-01-01T00:00:00Z\"}}");
    client.call("explainPolicy", Map.of(), expiring);
    client.call("simulatePolicy", Map.of(), policy);
    client.call("lintPolicy", Map.of(), policy);
    for (String operation :
        List.of("getHealth", "getReadiness", "getMetrics", "listNodes", "getOpenApi", "getDocs")) {
      client.call(operation, Map.of());
    }
    deliveries();
    notifications();
    graphs();
    LimitOperations.callAll(client);
    ErrorOperations.callAll(client);
    ScheduleOperations.callAll(client);
    keys();
    Set<String> operations =
        api.operations().stream().map(OpenApi.Operation::id).collect(Collectors.toSet());
    operations.removeAll(NOT_CALLED);
    assertThat(client.calledOperations()).containsExactlyInAnyOrderElementsOf(operations);
  }

  private void deliveries() throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk()) {
      String task = "{\"kind\": \"k\", \"on_cancel\": [%s]}".formatted(receiver.action("/"));
      String id = client.call("submitTasks", Map.of(), task).path(0).path("id").asString();
      client.call("cancelTask", Map.of("id", id));
      Map<String, String> sent = Map.of("task", id, "trigger", "on_cancel", "state", "sent");
      JsonNode delivery =
          Eventually.await(() -> client.call("listDeliveries", sent), found -> !found.isEmpty())
              .path(0);
      client.call("redeliver", Map.of("id", delivery.path("id").asString()));
      client.call("runDeliveryBulk", Map.of(), DEAD);
    }
  }

  private void notifications() throws IOException {
    assertThat(client.call("listChannels", Map.of())).hasSize(1);
    assertThat(client.call("testChannel", Map.of("name", "ops")).path("sent").asBoolean(true))
        .isFalse();
    String notify = "\"notify\": [{\"on\": [\"failure\"], \"channel\": \"ops\"}]";
    JsonNode submitted =
        client.call(
            "submitTasks",
            Map.of(),
            "{\"tasks\": [{\"kind\": \"resize\", %1$s}], %1$s}".formatted(notify));
    Map<String, String> task = Map.of("id", submitted.path(0).path("id").asString());
    assertThat(epochOfClaim()).isEqualTo(1);
    client.call("updateTask", task, "{\"status\": \"Failure\", \"epoch\": 1}");
    assertThat(client.call("getTask", task).path("notify")).hasSize(1);
    client.call("getBatch", Map.of("id", submitted.path(0).path("batch_id").asString()));
    Map<String, String> ours = Map.of("trigger", "notify", "task", task.get("id"));
    assertThat(client.call("listDeliveries", ours).path(0).path("channel").asString())
        .isEqualTo("ops");
  }

  private void graphs() throws IOException {
    JsonNode submitted =
        client.call(
            "submitTasks",
            Map.of(),
            """
            {"name": "May", "context": {"month": 5}, "tasks": [{"kind": "resize", "id": "a"},
             {"kind": "k", "id": "b", "dependencies": [{"id": "a", "requires_success": true}]}]}""");
    Map<String, String> task = Map.of("id", submitted.path(0).path("id").asString());
    Map<String, String> batch = Map.of("id", submitted.path(0).path("batch_id").asString());
    assertThat(client.call("listBatches", Map.of("state", "live", "name", "May"))).hasSize(1);
    TaskOperations.callGraph(client, batch.getOrDefault("id", ""));
    assertThat(client.call("retryBatch", batch, "{}").path("status").asInt()).isEqualTo(409);
    assertThat(epochOfClaim()).isEqualTo(1);
    client.call("updateTask", task, "{\"status\": \"Failure\", \"epoch\": 1}");
    client.call("stopBatch", batch);
    client.call("retryBatch", batch, "{\"run\": \"failed\"}");
    assertThat(epochOfClaim()).isEqualTo(2);
    client.call("updateTask", task, "{\"status\": \"Failure\", \"epoch\": 2}");
    client.call("resolveTask", task, "{\"reason\": \"done by hand\"}");
    client.call("getTask", Map.of("id", submitted.path(1).path("id").asString()));
    assertThat(client.call("getBatch", batch).path("total_tasks").asInt()).isEqualTo(2);
  }

  /** Runs last, because after the first key every request needs one. */
  private void keys() throws IOException {
    JsonNode created =
        client.call("createKey", Map.of(), "{\"name\": \"ops\", \"roles\": [\"admin\"]}");
    assertThat(client.call("listKeys", Map.of()).path("status").asInt()).isEqualTo(401);
    SessionOperations.callAll(client, created.path("key").asString());
    client.useKey(created.path("key").asString());
    assertThat(client.call("listKeys", Map.of())).hasSize(1);
    assertThat(client.call("listAuditEntries", Map.of("page_size", "1"))).hasSize(1);
    client.call("revokeKey", Map.of("id", created.path("id").asString()));
  }

  /** The server enforces the limits in the document. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "claim  | ClaimRequest | {'worker': 'w', 'kinds': ['k']}",
        "submit | NewTask      | {'kind': 'k'}"
      })
  void a_value_beyond_a_described_limit_is_rejected(String operation, String name, String good)
      throws IOException {
    JsonNode schema = api.document().path("components").path("schemas").path(name);
    String path = operation.equals("claim") ? "/task/claim" : "/task";
    int limits = 0;
    for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
      ObjectNode body = (ObjectNode) MAPPER.readTree(good.replace('\'', '"'));
      JsonNode beyond = beyond(field.getValue());
      if (!beyond.isMissingNode()) {
        body.set(field.getKey(), beyond);
        RawResponse response = server.post(path, body.toString());
        assertThat(response.status()).as("%s %s", field, response.body()).isEqualTo(400);
        assertThat(response.json().path("errors").path(0).path("path").asString())
            .startsWith(field.getKey());
        limits++;
      }
    }
    assertThat(limits).isGreaterThanOrEqualTo(3);
  }

  private static JsonNode beyond(JsonNode schema) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (schema.has("maximum")) {
      return nodes.numberNode(schema.path("maximum").asLong() + 1);
    }
    if (schema.has("maxLength")) {
      return nodes.stringNode("x".repeat(schema.path("maxLength").asInt() + 1));
    }
    if (schema.has("maxItems")) {
      ArrayNode items = nodes.arrayNode();
      IntStream.rangeClosed(0, schema.path("maxItems").asInt()).forEach(i -> items.add("k" + i));
      return items;
    }
    return nodes.missingNode();
  }

  @Test
  void an_invalid_request_gets_the_described_response() throws IOException {
    JsonNode problem = client.call("listTasks", Map.of("page_size", "-1"));
    assertThat(problem.path("errors").path(0).path("path").asString()).isEqualTo("page_size");
    Map<String, String> unknown = Map.of("id", "00000000-0000-7000-8000-000000000000");
    assertThat(client.call("getTask", unknown).path("status").asInt()).isEqualTo(404);
  }

  @Test
  void the_page_shows_every_operation_and_loads_no_external_resource() throws IOException {
    RawResponse page = server.get("/docs");
    for (OpenApi.Operation operation : api.operations()) {
      assertThat(page.body()).contains("id=\"" + operation.id() + "\"");
    }
    assertThat(page.body())
        .contains("curl localhost:%d/task ".formatted(server.port()))
        .contains("-X PATCH localhost:%d/task/$ID ".formatted(server.port()))
        .doesNotContain("{server}", "8085");
    assertThat(page.body()).doesNotContain("<script", "<img", "<link", "src=", "@import", "url(");
    assertThat(page.header("Content-Security-Policy"))
        .contains("default-src 'none'", "style-src 'sha256-")
        .doesNotContain("unsafe");
  }
}
