// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The submitter's trace context reaches the worker or callee, even if no spans are recorded. */
class TracePropagationTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @TempDir private Path folder;

  private TestServer server() {
    return TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
  }

  private static JsonNode submit(TestServer server, String task, String... headers)
      throws IOException {
    RawHttpClient.RawResponse response =
        RawHttpClient.request(server.port(), "POST", "/task", List.of(headers), task);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get(0);
  }

  private static String webhookTask(WebhookReceiver receiver) {
    return """
        {"kind": "etl", "on_start": %s, "on_success": [%s], "on_retry": [%s], "retry": %s}"""
        .formatted(
            receiver.action("/start", ", \"completion\": \"response\""),
            receiver.action("/end"),
            receiver.action("/retry"),
            TestApiClient.AT_ONCE);
  }

  @ParameterizedTest
  @EnumSource
  void all_calls_for_a_task_continue_the_trace_of_its_submitter(TestDatabase database)
      throws Exception {
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(
                call ->
                    Reply.of(
                        call.path().equals("/start") && call.header("X-Task-Attempt").equals("0")
                            ? 503
                            : 200));
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      JsonNode task =
          submit(
              server,
              webhookTask(receiver),
              "traceparent: " + PARENT,
              "tracestate: rojo=1",
              "tracestate: congo=2");

      assertThat(task.get("trace_id").stringValue()).isEqualTo(TRACE);
      for (int i = 0; i < 4; i++) {
        ReceivedCall call = receiver.next();
        assertThat(call.header("traceparent")).as(call.path()).isEqualTo(PARENT);
        assertThat(call.header("tracestate")).as(call.path()).isEqualTo("rojo=1,congo=2");
      }
    }
  }

  @Test
  void a_task_submitted_without_a_trace_gets_one_for_all_its_attempts() throws Exception {
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(
                call -> Reply.of(call.path().equals("/start") ? 503 : 200));
        TestServer server = server()) {
      JsonNode first = submit(server, webhookTask(receiver));
      String trace = first.get("trace_id").stringValue();
      for (int i = 0; i < 7; i++) {
        ReceivedCall call = receiver.next();
        TraceContext context = TraceContext.parse(call.header("traceparent")).orElseThrow();
        assertThat(context.traceId()).isEqualTo(trace);
        assertThat(context.sampled()).isTrue();
        assertThat(call.headers()).doesNotContainKey("tracestate");
      }
      assertThat(submit(server, webhookTask(receiver)).get("trace_id").stringValue())
          .isNotEqualTo(trace);
    }
  }

  @Test
  void remote_workers_receive_the_trace_context() throws Exception {
    try (TestServer server = server()) {
      TestApiClient client = new TestApiClient(server);
      submit(server, "{\"kind\": \"job\"}", "traceparent: " + PARENT, "tracestate: rojo=1");

      JsonNode lease = client.claimOne();
      assertThat(lease.get("traceparent").stringValue()).isEqualTo(PARENT);
      assertThat(lease.get("tracestate").stringValue()).isEqualTo("rojo=1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "traceparent: 00-" + TRACE + "-0000000000000000-01",
        "traceparent: ff-" + TRACE + "-00f067aa0ba902b7-01",
        "traceparent: 00-" + TRACE + "-00f067aa0ba902b7-01-more",
        "traceparent: " + PARENT + "\r\ntraceparent: " + PARENT,
        "traceparent: nonsense",
        "tracestate: rojo=1"
      })
  void an_invalid_trace_context_is_ignored_and_the_task_is_accepted(String headers)
      throws Exception {
    try (TestServer server = server()) {
      JsonNode task = submit(server, "{\"kind\": \"job\"}", headers);
      assertThat(task.get("trace_id").stringValue()).hasSize(32).isNotEqualTo(TRACE);

      JsonNode lease = new TestApiClient(server).claimOne();
      assertThat(lease.get("traceparent").stringValue()).isNotEqualTo(PARENT);
      assertThat(lease.get("tracestate").isNull()).isTrue();
    }
  }
}
