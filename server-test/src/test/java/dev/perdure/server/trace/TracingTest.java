// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Setting;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.trace.SpanCollector.RecordedSpan;
import dev.perdure.server.webhook.WebhookSettings;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A task that fails twice and then succeeds is one trace, for every kind of worker. */
@Tag("slow")
class TracingTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SUBMITTER = "00f067aa0ba902b7";
  private static final String PARENT = "traceparent: 00-" + TRACE + "-" + SUBMITTER + "-01";
  private static final String FAILED = "{\"status\": \"Failure\", \"failure_code\": \"busy\"}";
  private static final String DONE = "{\"status\": \"Success\"}";

  @TempDir private Path folder;

  private TestServer server(SpanCollector collector, Consumer<Engine> preparation) {
    return server(collector, Map.of(), preparation);
  }

  private TestServer server(
      SpanCollector collector, Map<Setting<?>, String> more, Consumer<Engine> preparation) {
    Map<Setting<?>, String> settings = new LinkedHashMap<>();
    settings.put(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED);
    settings.put(TraceSettings.ENDPOINT, collector.url());
    settings.putAll(more);
    return TestServer.in(folder, settings, preparation);
  }

  private static JsonNode submit(TestServer server, String task, String... headers)
      throws IOException {
    RawHttpClient.RawResponse response =
        RawHttpClient.request(server.port(), "POST", "/task", List.of(headers), task);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get(0);
  }

  private static String webhookTask(WebhookReceiver receiver, String completion) {
    return """
        {"kind": "etl", "on_start": %s, "on_success": [%s], "on_retry": [%s], "retry": %s}"""
        .formatted(
            receiver.action("/start", ", \"completion\": \"" + completion + "\""),
            receiver.action("/end"),
            receiver.action("/retry"),
            TestApiClient.AT_ONCE);
  }

  private static List<RecordedSpan> attempts(List<RecordedSpan> spans) {
    return spans.stream()
        .filter(span -> span.name().startsWith("attempt "))
        .sorted((one, other) -> one.get("perdure.epoch").compareTo(other.get("perdure.epoch")))
        .toList();
  }

  private static List<RecordedSpan> calls(List<RecordedSpan> spans, String trigger) {
    return spans.stream().filter(span -> span.get("perdure.trigger").equals(trigger)).toList();
  }

  /** Two failed attempts and a successful one, all direct children of the submitter's span. */
  private static void assertThreeAttempts(List<RecordedSpan> spans, JsonNode task, String kind) {
    List<RecordedSpan> attempts = attempts(spans);
    assertThat(spans).extracting(RecordedSpan::trace).containsOnly(TRACE);
    assertThat(attempts).hasSize(3).extracting(RecordedSpan::parent).containsOnly(SUBMITTER);
    assertThat(attempts).extracting(RecordedSpan::id).doesNotHaveDuplicates();
    assertThat(attempts).extracting(RecordedSpan::name).containsOnly("attempt " + kind);
    assertThat(attempts).extracting(RecordedSpan::kind).containsOnly(SpanKind.SPAN_KIND_CONSUMER);
    assertThat(attempts).extracting(RecordedSpan::error).containsExactly(true, true, false);
    assertThat(attempts).extracting(RecordedSpan::nanos).allMatch(nanos -> nanos >= 0);
    assertThat(attempts)
        .extracting(span -> span.get("perdure.outcome"))
        .containsExactly("failure", "failure", "success");
    assertThat(attempts)
        .extracting(span -> span.get("perdure.attempt"))
        .containsExactly("0", "1", "2");
    assertThat(attempts)
        .extracting(span -> span.get("perdure.task.status"))
        .containsExactly("RetryPending", "RetryPending", "Success");
    assertThat(attempts)
        .extracting(span -> span.get("perdure.task.id"))
        .containsOnly(task.get("id").stringValue());
    assertThat(attempts)
        .extracting(span -> span.get("perdure.batch.id"))
        .containsOnly(task.get("batch_id").stringValue());
  }

  /** Each call carries its own span, whose parent is the attempt that made the call. */
  private static void assertCalls(
      List<RecordedSpan> spans, List<ReceivedCall> received, String trigger) {
    List<RecordedSpan> attempts = attempts(spans);
    List<RecordedSpan> calls = calls(spans, trigger);
    assertThat(calls).extracting(RecordedSpan::kind).containsOnly(SpanKind.SPAN_KIND_CLIENT);
    assertThat(calls)
        .extracting(span -> "00-" + TRACE + "-" + span.id() + "-01")
        .containsExactlyInAnyOrderElementsOf(
            received.stream().map(call -> call.header("traceparent")).toList());
    for (ReceivedCall call : received) {
      String attempt = call.header("X-Task-Attempt");
      RecordedSpan span =
          calls.stream()
              .filter(one -> call.header("traceparent").contains(one.id()))
              .findFirst()
              .orElseThrow();
      assertThat(span.parent())
          .as("%s of attempt %s", trigger, attempt)
          .isEqualTo(attempts.get(Integer.parseInt(attempt)).id());
    }
  }

  @Test
  void a_callee_that_responds_with_the_result_is_traced() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        WebhookReceiver receiver =
            WebhookReceiver.replyingWith(
                call ->
                    Reply.of(
                        call.path().equals("/start") && !call.header("X-Task-Attempt").equals("2")
                            ? 503
                            : 200));
        TestServer server = server(collector, engine -> {})) {
      JsonNode task =
          submit(server, webhookTask(receiver, "response"), PARENT, "tracestate: rojo=1");
      BlockingQueue<ReceivedCall> starts = new LinkedBlockingQueue<>();
      BlockingQueue<ReceivedCall> retries = new LinkedBlockingQueue<>();
      BlockingQueue<ReceivedCall> ends = new LinkedBlockingQueue<>();
      for (int i = 0; i < 6; i++) {
        ReceivedCall call = receiver.next();
        switch (call.path()) {
          case "/start" -> starts.add(call);
          case "/retry" -> retries.add(call);
          default -> ends.add(call);
        }
      }

      List<RecordedSpan> spans = collector.await(9);
      assertThreeAttempts(spans, task, "etl");
      assertCalls(spans, List.copyOf(starts), "on_start");
      assertCalls(spans, List.copyOf(retries), "on_retry");
      assertCalls(spans, List.copyOf(ends), "on_success");
      assertThat(spans).hasSize(9).extracting(RecordedSpan::state).containsOnly("rojo=1");
      assertThat(attempts(spans))
          .extracting(span -> span.get("error.type"))
          .containsExactly("503", "503", "");
      assertThat(attempts(spans).getFirst().attributes())
          .containsEntry("perdure.failure.kind", "webhook_failure")
          .containsEntry("perdure.retry.delay_ms", "0");
      assertThat(calls(spans, "on_start"))
          .extracting(span -> span.get("http.response.status_code"))
          .containsExactlyInAnyOrder("503", "503", "200");
      assertThat(calls(spans, "on_start"))
          .filteredOn(RecordedSpan::error)
          .hasSize(2)
          .allMatch(span -> span.get("server.address").equals("127.0.0.1"))
          .allMatch(span -> span.get("server.port").equals("" + receiver.port()));
    }
  }

  @Test
  void a_callee_that_settles_with_its_handle_is_traced() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(collector, engine -> {})) {
      JsonNode task = submit(server, webhookTask(receiver, "callback"), PARENT);
      BlockingQueue<ReceivedCall> starts = new LinkedBlockingQueue<>();
      for (int i = 0; i < 3; i++) {
        ReceivedCall call = receiver.next("/start");
        starts.add(call);
        RawHttpClient.RawResponse settled =
            server.send("PATCH", call.target(), i < 2 ? FAILED : DONE);
        assertThat(settled.status()).as(settled.body()).isEqualTo(200);
      }

      List<RecordedSpan> spans = collector.await(9);
      assertThreeAttempts(spans, task, "etl");
      assertCalls(spans, List.copyOf(starts), "on_start");
      assertThat(calls(spans, "on_start")).noneMatch(RecordedSpan::error);
      assertThat(attempts(spans).getFirst().attributes())
          .containsEntry("perdure.failure.kind", "explicit")
          .containsEntry("perdure.failure.code", "busy");
    }
  }

  @Test
  void a_java_handler_is_traced() throws Exception {
    BlockingQueue<String> continued = new LinkedBlockingQueue<>();
    try (SpanCollector collector = SpanCollector.open();
        TestServer server =
            server(
                collector,
                engine ->
                    engine.register(
                        "mail",
                        JsonNode.class,
                        (payload, context) -> {
                          continued.add(context.traceParent().traceparent());
                          if (context.attempt() < 2) {
                            throw new IOException("the mail server is away");
                          }
                        }))) {
      JsonNode task =
          submit(
              server,
              "{\"kind\": \"mail\", \"retry\": %s}".formatted(TestApiClient.AT_ONCE),
              PARENT);

      List<RecordedSpan> spans = collector.await(3);
      assertThreeAttempts(spans, task, "mail");
      assertThat(spans)
          .extracting(span -> "00-" + TRACE + "-" + span.id() + "-01")
          .containsExactlyInAnyOrderElementsOf(continued);
      assertThat(attempts(spans).getFirst().attributes())
          .containsEntry("perdure.failure.kind", "exception")
          .containsEntry("error.type", "java.io.IOException");
    }
  }

  @Test
  void a_remote_worker_is_traced() throws Exception {
    BlockingQueue<String> continued = new LinkedBlockingQueue<>();
    try (SpanCollector collector = SpanCollector.open();
        TestServer server = server(collector, engine -> {})) {
      TestApiClient client = new TestApiClient(server);
      JsonNode task =
          submit(
              server,
              "{\"kind\": \"job\", \"retry\": %s}".formatted(TestApiClient.AT_ONCE),
              PARENT);
      for (int i = 0; i < 3; i++) {
        JsonNode lease = client.claimOne();
        continued.add(lease.get("traceparent").stringValue());
        String end = i < 2 ? FAILED : DONE;
        String outcome = end.replace("}", ", \"epoch\": " + lease.get("epoch") + "}");
        assertThat(client.patch(lease.get("id").stringValue(), outcome).status()).isEqualTo(200);
      }

      List<RecordedSpan> spans = collector.await(3);
      assertThreeAttempts(spans, task, "job");
      assertThat(spans)
          .extracting(span -> "00-" + TRACE + "-" + span.id() + "-01")
          .containsExactlyInAnyOrderElementsOf(continued);
      assertThat(spans).extracting(span -> span.get("perdure.worker")).containsOnly("ada");
    }
  }

  @Test
  void a_task_submitted_without_a_trace_gets_its_own() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(503));
        TestServer server = server(collector, engine -> {})) {
      JsonNode task =
          submit(
              server,
              "{\"kind\": \"etl\", \"on_start\": %s, \"retry\": %s}"
                  .formatted(
                      receiver.action("/start", ", \"completion\": \"response\""),
                      TestApiClient.AT_ONCE));

      List<RecordedSpan> spans = collector.await(8);
      assertThat(spans)
          .extracting(RecordedSpan::trace)
          .containsOnly(task.get("trace_id").stringValue());
      assertThat(attempts(spans)).hasSize(4).extracting(RecordedSpan::parent).containsOnly("");
      assertThat(attempts(spans).getLast().attributes())
          .containsEntry("perdure.task.status", "Failure")
          .containsEntry("perdure.give_up_reason", "exhausted");
    }
  }

  @Test
  void a_trace_that_its_submitter_does_not_sample_is_not_recorded() throws Exception {
    String unsampled = "traceparent: 00-" + TRACE + "-" + SUBMITTER + "-00";
    try (SpanCollector collector = SpanCollector.open();
        WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(collector, engine -> {})) {
      submit(server, webhookTask(receiver, "response"), unsampled);
      for (String path : List.of("/start", "/end")) {
        assertThat(receiver.next(path).header("traceparent"))
            .startsWith("00-" + TRACE + "-")
            .endsWith("-00")
            .doesNotContain(SUBMITTER);
      }
      // A later task that is recorded proves that the first one was not.
      submit(server, webhookTask(receiver, "response"), PARENT.replace(TRACE, "f".repeat(32)));

      assertThat(collector.await(3)).extracting(RecordedSpan::trace).containsOnly("f".repeat(32));
    }
  }

  @Test
  void the_sampler_always_off_exports_nothing_and_marks_calls_as_unsampled() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        WebhookReceiver receiver = WebhookReceiver.replyingOk()) {
      Map<Setting<?>, String> none = Map.of(TraceSettings.SAMPLER, "always_off");
      // Closing the server exports pending spans.
      try (TestServer server = server(collector, none, engine -> {})) {
        submit(server, webhookTask(receiver, "response"), PARENT);

        assertThat(receiver.next("/start").header("traceparent")).matches("00-" + TRACE + "-.*-00");
        assertThat(receiver.next("/end").header("traceparent")).matches("00-" + TRACE + "-.*-00");
      }
      assertThat(collector.soFar()).isEmpty();
    }
  }

  @Test
  void exports_carry_the_configured_headers_and_attributes() throws Exception {
    Map<Setting<?>, String> settings =
        Map.of(
            TraceSettings.HEADERS, "x-tenant=ada%20b,authorization=Bearer s3",
            TraceSettings.SERVICE_NAME, "orders",
            TraceSettings.RESOURCE_ATTRIBUTES, "deployment.environment=test",
            TraceSettings.COMPRESSION, "gzip");
    try (SpanCollector collector = SpanCollector.open();
        WebhookReceiver receiver = WebhookReceiver.replyingOk();
        TestServer server = server(collector, settings, engine -> {})) {
      submit(server, webhookTask(receiver, "response"));

      assertThat(collector.await(3)).hasSize(3);
      assertThat(collector.header("X-tenant")).isEqualTo("ada b");
      assertThat(collector.header("Authorization")).isEqualTo("Bearer s3");
      assertThat(collector.resourceAttributes())
          .containsEntry("service.name", "orders")
          .containsEntry("service.instance.id", "tester")
          .containsEntry("service.version", "test")
          .containsEntry("deployment.environment", "test");
    }
  }
}
