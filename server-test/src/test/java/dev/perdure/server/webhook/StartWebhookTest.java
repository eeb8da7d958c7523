// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tasks with an on_start webhook, over real HTTP on both sides. */
@Tag("slow")
class StartWebhookTest {

  private static final String AT_ONCE =
      "\"retry\": {\"max_retries\": 3, \"backoff\": {\"type\": \"immediate\"}}";

  /** The fields that a handle shows: the status of the task, but not its payload. */
  private static final List<String> SHOWN_TO_HANDLES =
      List.of(
          "id",
          "status",
          "attempt",
          "next_retry_at",
          "retries_left",
          "failure_kind",
          "failure_reason",
          "failure_code",
          "give_up_reason",
          "error");

  @TempDir private Path folder;

  private TestServer server(TestDatabase database) {
    return database.server(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
  }

  /** A task that calls {@code /start} to start and {@code /end} when it ends. */
  private static String task(WebhookReceiver receiver, String params, String more) {
    return """
        {"id": "import", "kind": "etl", "on_start": %s, "on_success": [%s], "on_failure": [%s]%s}"""
        .formatted(
            receiver.action("/start", params),
            receiver.action("/end"),
            receiver.action("/end"),
            more.isEmpty() ? "" : ", " + more);
  }

  private static JsonNode awaitEnd(WebhookReceiver receiver, TestApiClient client, String id)
      throws IOException, InterruptedException {
    receiver.next("/end");
    return client.show(id);
  }

  @ParameterizedTest
  @EnumSource
  void a_callee_is_called_and_settles_with_its_handle(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, "", ""));

      ReceivedCall start = receiver.next("/start");
      assertThat(start.method()).isEqualTo("POST");
      assertThat(start.header("X-Task-Id")).isEqualTo(id);
      assertThat(start.header("X-Task-Trigger")).isEqualTo("start");
      assertThat(start.header("X-Task-Attempt")).isEqualTo("0");
      assertThat(start.header("Idempotency-Key")).isEqualTo(id + ":start:success:0:0");
      assertThat(start.handle().getPort()).isEqualTo(server.port());
      assertThat(client.status(id)).isEqualTo("Running");

      RawResponse counted = server.send("PUT", start.target(), "{\"new_success\": 7}");
      assertThat(counted.status()).as(counted.body()).isEqualTo(202);
      RawResponse settled =
          server.send("PATCH", start.target(), "{\"status\": \"Success\", \"result\": [1]}");
      assertThat(settled.status()).as(settled.body()).isEqualTo(200);
      assertThat(settled.json().propertyNames()).containsExactlyElementsOf(SHOWN_TO_HANDLES);

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("local_id").stringValue()).isEqualTo("import");
      assertThat(task.get("success").longValue()).isEqualTo(7);
      assertThat(task.get("result")).hasToString("[1]");
      assertThat(task.get("timeout").longValue()).isEqualTo(60);
      // The callee may report before its response is read.
      Eventually.await(
          () -> server.get("/metrics").body(),
          metrics ->
              metrics.contains(
                  "webhook_executions_total{outcome=\"sent\",trigger=\"on_start\"} 1"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_callee_can_settle_before_it_responds(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      receiver.replyWith(
          call -> {
            if (call.path().equals("/start")) {
              settle(server, call, "{\"status\": \"Success\"}");
            }
            return Reply.of(200);
          });
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, "", ""));

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("attempts")).hasSize(1);
    }
  }

  private static void settle(TestServer server, ReceivedCall call, String body) {
    try {
      assertThat(server.send("PATCH", call.target(), body).status()).isEqualTo(200);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void progress_reports_before_the_response_keep_the_attempt_alive(TestDatabase database)
      throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      receiver.replyWith(
          call -> {
            if (call.path().equals("/start")) {
              // Six seconds; without the reports the attempt would time out after five.
              for (int i = 0; i < 12; i++) {
                new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS);
                report(server, call);
              }
            }
            return Reply.of(200);
          });
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, "", "\"timeout\": 5, " + AT_ONCE));
      ReceivedCall start = receiver.next("/start");
      Eventually.await(() -> client.show(id).get("success").longValue(), count -> count == 12);
      settle(server, start, "{\"status\": \"Success\"}");

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("attempts")).hasSize(1);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
    }
  }

  private static void report(TestServer server, ReceivedCall call) {
    try {
      RawResponse response = server.send("PUT", call.target(), "{\"new_success\": 1}");
      assertThat(response.status()).as(response.body()).isEqualTo(202);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_response_that_is_too_long_is_not_stored(TestDatabase database) throws Exception {
    String response = "[\"%s\"]".formatted("x".repeat(64 * 1024));
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(200, response));
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, ", \"completion\": \"response\"", ""));

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("result").isNull()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void in_response_mode_the_response_is_the_result(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(call -> Reply.of(200, "{\"rows\": 12}"));
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, ", \"completion\": \"response\"", ""));

      ReceivedCall start = receiver.next("/start");
      assertThat(start.query()).doesNotContainKey("handle");
      assertThat(start.header("Idempotency-Key")).isEqualTo(id + ":start");
      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("result")).hasToString("{\"rows\":12}");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"12.50", "{\"sum\":[0.10,1E+2,12345678901234567890.12345678901234567890]}"})
  void a_response_keeps_all_digits_of_numbers(String response) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(200, response));
        TestServer server = server(TestDatabase.SQLITE)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, ", \"completion\": \"response\"", ""));

      awaitEnd(receiver, client, id);
      assertThat(server.get("/task/" + id).body()).contains("\"result\":" + response + ",");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 101, 499, 10_000})
  void a_response_nested_too_deeply_is_stored_as_text(int depth) throws Exception {
    String response = "[".repeat(depth) + "]".repeat(depth);
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(200, response));
        TestServer server = server(TestDatabase.SQLITE)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, ", \"completion\": \"response\"", ""));

      awaitEnd(receiver, client, id);
      RawResponse shown = server.get("/task/" + id);
      assertThat(shown.status()).isEqualTo(200);
      assertThat(shown.body())
          .contains("\"result\":" + (depth > 100 ? "\"" + response + "\"" : response));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_response_that_is_not_json_is_stored_as_text(TestDatabase database) throws Exception {
    String response = "done: \"12\" rows\u0000…";
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(201, response));
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, ", \"completion\": \"response\"", ""));

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("result").stringValue()).isEqualTo(response);
    }
  }

  @ParameterizedTest
  @EnumSource
  void retry_after_of_a_busy_callee_is_honored(TestDatabase database) throws Exception {
    Reply busy = new Reply(503, Map.of("Retry-After", "1"), "");
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> busy);
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String policy =
          """
          "retry": {"max_retries": 3, "backoff": {"type": "fixed", "delay": "1h"},
                    "jitter": "none", "retry_on": ["503"]}""";
      String id = client.submit(task(receiver, ", \"completion\": \"response\"", policy));
      receiver.next("/start");
      receiver.replyWith(call -> Reply.of(200, "7"));

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("attempt").longValue()).isEqualTo(1);
      JsonNode first = task.get("attempts").get(0);
      assertThat(first.get("failure_kind").stringValue()).isEqualTo("webhook_failure");
      assertThat(first.get("status").intValue()).isEqualTo(503);
      assertThat(first.get("delay_ms").longValue()).isEqualTo(1_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_start_without_a_2xx_is_a_failed_attempt(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(
                call -> Reply.of(call.path().equals("/start") ? 500 : 200));
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, "", AT_ONCE));

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Failure");
      assertThat(task.get("failure_kind").stringValue()).isEqualTo("webhook_failure");
      assertThat(task.get("give_up_reason").stringValue()).isEqualTo("exhausted");
      assertThat(task.get("attempts")).hasSize(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_takes_too_long_is_a_webhook_failure(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(
                call -> {
                  if (call.path().equals("/start")) {
                    new CountDownLatch(1).await();
                  }
                  return Reply.of(200);
                });
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, ", \"timeout\": \"300ms\"", ""));

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("failure_kind").stringValue()).isEqualTo("webhook_failure");
      assertThat(task.get("failure_code").stringValue()).isEqualTo("webhook_timeout");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_inactive_callee_times_out(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, "", "\"timeout\": 1"));

      JsonNode task = awaitEnd(receiver, client, id);
      assertThat(task.get("status").stringValue()).isEqualTo("Failure");
      assertThat(task.get("failure_kind").stringValue()).isEqualTo("timeout");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_handle_is_valid_for_its_attempt_only(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, "", AT_ONCE + ", \"metadata\": {\"old\": 1}"));
      ReceivedCall first = receiver.next("/start");
      String failure = "{\"status\": \"Failure\", \"failure_reason\": \"no luck\"}";
      assertThat(server.send("PATCH", first.target(), failure).status()).isEqualTo(200);
      RawResponse again = server.send("PATCH", first.target(), failure);
      assertThat(again.status()).as("a repetition succeeds").isEqualTo(200);
      assertThat(again.json().propertyNames()).containsExactlyElementsOf(SHOWN_TO_HANDLES);
      ReceivedCall second = receiver.next("/start");
      assertThat(second.handle()).isNotEqualTo(first.handle());

      assertThat(server.send("PATCH", first.target(), "{\"status\": \"Success\"}").status())
          .isEqualTo(409);
      assertThat(server.send("PUT", first.target(), "{\"new_success\": 1}").status())
          .isEqualTo(409);
      String metadata = "{\"metadata\": {\"attempt\": %d}}";
      assertThat(server.send("PATCH", second.target(), metadata.formatted(1)).status())
          .isEqualTo(200);
      assertThat(server.send("PATCH", first.target(), metadata.formatted(0)).status())
          .isEqualTo(409);
      assertThat(client.show(id).get("metadata")).hasToString("{\"attempt\":1}");
      assertThat(client.status(id)).isEqualTo("Running");
      assertThat(server.send("PATCH", second.target(), "{\"status\": \"Success\"}").status())
          .isEqualTo(200);
      assertThat(awaitEnd(receiver, client, id).get("success").longValue()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_forged_handle_is_rejected(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = client.submit(task(receiver, "", ""));
      String other = client.submit(task(receiver, "", ""));
      ReceivedCall start = receiver.next("/start");
      String target = start.target();
      String wrongTask = target.replace(start.header("X-Task-Id"), otherOf(start, id, other));
      String forged = target.substring(0, target.length() - 1) + (target.endsWith("A") ? "B" : "A");
      String success = "{\"status\": \"Success\"}";

      assertThat(server.send("PATCH", wrongTask, success).status()).isEqualTo(403);
      assertThat(server.send("PATCH", forged, success).status()).isEqualTo(403);
      assertThat(server.send("PUT", forged, "{\"new_success\": 1}").status()).isEqualTo(403);
      assertThat(server.send("PATCH", target, "{\"priority\": 9}").status()).isEqualTo(403);
      receiver.next("/start"); // Both have started.
      assertThat(client.status(id)).isEqualTo("Running");
      assertThat(client.status(other)).isEqualTo("Running");
    }
  }

  private static String otherOf(ReceivedCall start, String one, String other) {
    return start.header("X-Task-Id").equals(one) ? other : one;
  }
}
