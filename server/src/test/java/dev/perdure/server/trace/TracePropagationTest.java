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

/** What a submitter says of its trace reaches whoever does the work, though nobody records it. */
class TracePropagationTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @TempDir private Path folder;

  private TestServer server() {
    return TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
  }

  private static JsonNode submit(TestServer server, String task, String... headers)
      throws IOException {
    RawHttpClient.RawResponse rawResponse =
        RawHttpClient.ask(server.port(), "POST", "/task", List.of(headers), task);
    assertThat(rawResponse.status()).as(rawResponse.body()).isEqualTo(201);
    return rawResponse.json().get(0);
  }

  private static String calling(WebhookReceiver webhookReceiver) {
    return """
        {"kind": "etl", "on_start": %s, "on_success": [%s], "on_retry": [%s], "retry": %s}"""
        .formatted(
            webhookReceiver.action("/start", ", \"completion\": \"response\""),
            webhookReceiver.action("/end"),
            webhookReceiver.action("/retry"),
            TestApiClient.AT_ONCE);
  }

  @ParameterizedTest
  @EnumSource
  void all_calls_for_a_task_continue_the_trace_of_its_submitter(TestDatabase database)
      throws Exception {
    try (WebhookReceiver webhookReceiver =
            WebhookReceiver.replyingWith(
                receivedCall ->
                    Reply.of(
                        receivedCall.path().equals("/start")
                                && receivedCall.header("X-Task-Attempt").equals("0")
                            ? 503
                            : 200));
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      JsonNode task =
          submit(
              server,
              calling(webhookReceiver),
              "traceparent: " + PARENT,
              "tracestate: rojo=1",
              "tracestate: congo=2");

      assertThat(task.get("trace_id").stringValue()).isEqualTo(TRACE);
      for (int i = 0; i < 4; i++) {
        ReceivedCall receivedCall = webhookReceiver.next();
        assertThat(receivedCall.header("traceparent")).as(receivedCall.path()).isEqualTo(PARENT);
        assertThat(receivedCall.header("tracestate"))
            .as(receivedCall.path())
            .isEqualTo("rojo=1,congo=2");
      }
    }
  }

  @Test
  void a_task_whose_submitter_is_in_no_trace_has_one_for_all_its_attempts() throws Exception {
    try (WebhookReceiver webhookReceiver =
            WebhookReceiver.replyingWith(
                receivedCall -> Reply.of(receivedCall.path().equals("/start") ? 503 : 200));
        TestServer server = server()) {
      JsonNode first = submit(server, calling(webhookReceiver));
      String trace = first.get("trace_id").stringValue();
      for (int i = 0; i < 7; i++) {
        ReceivedCall receivedCall = webhookReceiver.next();
        TraceContext told = TraceContext.parse(receivedCall.header("traceparent")).orElseThrow();
        assertThat(told.traceId()).isEqualTo(trace);
        assertThat(told.sampled()).isTrue();
        assertThat(receivedCall.headers()).doesNotContainKey("tracestate");
      }
      assertThat(submit(server, calling(webhookReceiver)).get("trace_id").stringValue())
          .isNotEqualTo(trace);
    }
  }

  @Test
  void workers_elsewhere_are_told_what_to_continue() throws Exception {
    try (TestServer server = server()) {
      TestApiClient testApiClient = new TestApiClient(server);
      submit(server, "{\"kind\": \"job\"}", "traceparent: " + PARENT, "tracestate: rojo=1");

      JsonNode lease = testApiClient.claimOne();
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
  void what_is_not_right_is_ignored_and_the_work_is_taken(String headers) throws Exception {
    try (TestServer server = server()) {
      JsonNode task = submit(server, "{\"kind\": \"job\"}", headers);
      assertThat(task.get("trace_id").stringValue()).hasSize(32).isNotEqualTo(TRACE);

      JsonNode lease = new TestApiClient(server).claimOne();
      assertThat(lease.get("traceparent").stringValue()).isNotEqualTo(PARENT);
      assertThat(lease.get("tracestate").isNull()).isTrue();
    }
  }
}
