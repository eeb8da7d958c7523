// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * The retry example of the original orchestrator, ten times as fast: two attempts time out after 30
 * s, the next ones follow after 10 s and 20 s, and the third succeeds. The test compares the
 * recorded instants, which come from the database's clock, and allows for a busy machine.
 */
@Tag("slow")
class OrchestratorExampleTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** The polling interval of one second, and slack for a busy machine. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void the_retries_follow_the_described_timeline(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      awaitTimeoutDetection(server, receiver);
      String id = submit(server, receiver);

      for (int attempt = 0; attempt < 2; attempt++) {
        ReceivedCall call = receiver.next("/import");
        assertThat(call.header("X-Task-Attempt")).isEqualTo(Integer.toString(attempt));
      }
      RawResponse end =
          server.send("PATCH", receiver.next("/import").target(), "{\"status\": \"Success\"}");

      assertThat(end.status()).as(end.body()).isEqualTo(200);
      JsonNode task = server.get("/task/" + id).json();
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("attempt").longValue()).isEqualTo(2);
      JsonNode attempts = task.get("attempts");
      assertThat(attempts).hasSize(3);
      assertTimedOut(attempts.get(0), attempts.get(1), Duration.ofSeconds(1));
      assertTimedOut(attempts.get(1), attempts.get(2), Duration.ofSeconds(2));
    }
  }

  /** The requests and fields that clients of the original orchestrator use. */
  @ParameterizedTest
  @EnumSource
  void existing_clients_work_unchanged(TestDatabase database) throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      RawResponse submitted =
          server.post(
              "/task",
              "[%s, %s]".formatted(oldTask(receiver, "first"), oldTask(receiver, "second")));
      assertThat(submitted.status()).as(submitted.body()).isEqualTo(201);
      assertThat(submitted.json().findValuesAsString("name")).containsExactly("first", "second");
      assertThat(submitted.json().findValuesAsString("batch_id"))
          .containsOnly(submitted.header("X-Batch-ID"));
      Map<String, ReceivedCall> starts = new HashMap<>();
      for (int i = 0; i < 2; i++) {
        ReceivedCall start = receiver.next();
        starts.put(start.path(), start);
      }

      String first = requireNonNull(starts.get("/start/first")).target();
      assertThat(first).contains("?handle=");
      assertThat(server.send("PUT", first, "{\"new_success\": 7, \"new_failures\": 1}").status())
          .isEqualTo(202);
      assertThat(
              server.send("PATCH", first, "{\"status\": \"Success\", \"new_success\": 2}").status())
          .isEqualTo(200);
      assertThat(receiver.next().path()).isEqualTo("/success/first");
      String second = requireNonNull(starts.get("/start/second")).target();
      String end = "{\"status\": \"Failure\", \"failure_reason\": \"no such file\"}";
      assertThat(server.send("PATCH", second, end).status()).isEqualTo(200);
      assertThat(receiver.next().path()).isEqualTo("/failure/second");

      JsonNode done = show(server, submitted, 0);
      assertThat(done.get("status").stringValue()).isEqualTo("Success");
      assertThat(done.get("success").longValue()).isEqualTo(9);
      assertThat(done.get("failures").longValue()).isEqualTo(1);
      assertThat(done.get("expected_count").longValue()).isEqualTo(10);
      assertThat(done.get("timeout").longValue()).isEqualTo(60);
      assertThat(done.get("priority").longValue()).isEqualTo(5);
      assertThat(done.get("metadata").get("file").stringValue()).isEqualTo("first.csv");
      assertThat(done.get("local_id").stringValue()).isEqualTo("task-first");
      JsonNode failed = show(server, submitted, 1);
      assertThat(failed.get("status").stringValue()).isEqualTo("Failure");
      assertThat(failed.get("failure_reason").stringValue()).isEqualTo("no such file");
    }
  }

  private static String oldTask(WebhookReceiver receiver, String name) {
    return """
        {"id": "task-%1$s", "name": "%1$s", "kind": "etl", "timeout": 60,
         "metadata": {"file": "%1$s.csv"}, "priority": 5, "expected_count": 10,
         "on_start": %2$s, "on_success": [%3$s], "on_failure": [%4$s]}"""
        .formatted(
            name,
            receiver.action("/start/" + name),
            receiver.action("/success/" + name),
            receiver.action("/failure/" + name));
  }

  private static JsonNode show(TestServer server, RawResponse submitted, int index)
      throws Exception {
    return server.get("/task/" + submitted.json().get(index).get("id").stringValue()).json();
  }

  /** Waits until timeouts are detected: right after its start, a server times out no task. */
  private static void awaitTimeoutDetection(TestServer server, WebhookReceiver receiver)
      throws Exception {
    RawResponse submitted =
        server.post(
            "/task",
            "{\"kind\": \"silent\", \"timeout\": 1, \"on_start\": %s}"
                .formatted(receiver.action("/silent")));
    String id = submitted.json().get(0).get("id").stringValue();
    Eventually.await(() -> server.get("/task/" + id).json(), task -> is(task, "Failure"));
  }

  private static String submit(TestServer server, WebhookReceiver receiver) throws IOException {
    RawResponse submitted =
        server.post(
            "/task",
            """
            [{"id": "import", "name": "Import Data", "kind": "etl", "timeout": 3,
              "retry": {"max_retries": 3, "initial_delay_secs": 1, "backoff_multiplier": 2.0,
                        "max_delay_secs": 12},
              "on_start": {"kind": "Webhook", "params": {"url": "%s", "verb": "Post"}}}]"""
                .formatted(receiver.url("/import")));
    assertThat(submitted.status()).as(submitted.body()).isEqualTo(201);
    assertThat(submitted.header("X-Batch-ID")).isNotEmpty();
    return submitted.json().get(0).get("id").stringValue();
  }

  private static boolean is(JsonNode task, String status) {
    return task.get("status").stringValue().equals(status);
  }

  private static void assertTimedOut(JsonNode attempt, JsonNode next, Duration delay) {
    assertThat(attempt.get("failure_kind").stringValue()).isEqualTo("timeout");
    assertThat(attempt.get("delay_ms").longValue()).isEqualTo(delay.toMillis());
    assertThat(Duration.between(at(attempt, "started_at"), at(attempt, "ended_at")))
        .as("timeout")
        .isBetween(TIMEOUT, TIMEOUT.plus(SLACK));
    assertThat(Duration.between(at(attempt, "ended_at"), at(attempt, "next_at")))
        .as("delay")
        .isEqualTo(delay);
    assertThat(Duration.between(at(attempt, "next_at"), at(next, "started_at")))
        .as("lateness")
        .isBetween(Duration.ZERO, SLACK);
  }

  private static Instant at(JsonNode attempt, String name) {
    return Instant.parse(attempt.get(name).stringValue());
  }
}
