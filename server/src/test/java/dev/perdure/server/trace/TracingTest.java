// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.server.Callee;
import dev.perdure.server.Callee.Call;
import dev.perdure.server.Callee.Reply;
import dev.perdure.server.Desk;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.config.TraceSettings;
import dev.perdure.server.http.Wire;
import dev.perdure.server.trace.SpanCollector.Recorded;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A task that fails twice and then succeeds is one trace, whoever does it. */
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
    settings.put(Settings.WEBHOOK_ALLOW, Callee.ALLOWED);
    settings.put(TraceSettings.ENDPOINT, collector.url());
    settings.putAll(more);
    return TestServer.in(folder, settings, preparation);
  }

  private static JsonNode submit(TestServer server, String task, String... headers)
      throws IOException {
    Wire.Answer answer = Wire.ask(server.port(), "POST", "/task", List.of(headers), task);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().get(0);
  }

  private static String calling(Callee callee, String completion) {
    return """
        {"kind": "etl", "on_start": %s, "on_success": [%s], "on_retry": [%s], "retry": %s}"""
        .formatted(
            callee.action("/start", ", \"completion\": \"" + completion + "\""),
            callee.action("/end"),
            callee.action("/retry"),
            Desk.AT_ONCE);
  }

  private static List<Recorded> attempts(List<Recorded> spans) {
    return spans.stream()
        .filter(span -> span.name().startsWith("attempt "))
        .sorted((one, other) -> one.get("perdure.epoch").compareTo(other.get("perdure.epoch")))
        .toList();
  }

  private static List<Recorded> calls(List<Recorded> spans, String trigger) {
    return spans.stream().filter(span -> span.get("perdure.trigger").equals(trigger)).toList();
  }

  /** Two that failed and one that succeeded, all of the submitter's trace and right below it. */
  private static void assertThreeAttempts(List<Recorded> spans, JsonNode task, String kind) {
    List<Recorded> attempts = attempts(spans);
    assertThat(spans).extracting(Recorded::trace).containsOnly(TRACE);
    assertThat(attempts).hasSize(3).extracting(Recorded::parent).containsOnly(SUBMITTER);
    assertThat(attempts).extracting(Recorded::id).doesNotHaveDuplicates();
    assertThat(attempts).extracting(Recorded::name).containsOnly("attempt " + kind);
    assertThat(attempts).extracting(Recorded::kind).containsOnly(SpanKind.SPAN_KIND_CONSUMER);
    assertThat(attempts).extracting(Recorded::error).containsExactly(true, true, false);
    assertThat(attempts).extracting(Recorded::nanos).allMatch(nanos -> nanos >= 0);
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

  /** Each call was told its own span, and its parent is the attempt that made it. */
  private static void assertCalls(List<Recorded> spans, List<Call> made, String trigger) {
    List<Recorded> attempts = attempts(spans);
    List<Recorded> calls = calls(spans, trigger);
    assertThat(calls).extracting(Recorded::kind).containsOnly(SpanKind.SPAN_KIND_CLIENT);
    assertThat(calls)
        .extracting(span -> "00-" + TRACE + "-" + span.id() + "-01")
        .containsExactlyInAnyOrderElementsOf(
            made.stream().map(call -> call.header("traceparent")).toList());
    for (Call call : made) {
      String attempt = call.header("X-Task-Attempt");
      Recorded span =
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
  void when_a_callee_answers_with_the_result() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        Callee callee =
            Callee.answering(
                call ->
                    Reply.of(
                        call.path().equals("/start") && !call.header("X-Task-Attempt").equals("2")
                            ? 503
                            : 200));
        TestServer server = server(collector, engine -> {})) {
      JsonNode task = submit(server, calling(callee, "response"), PARENT, "tracestate: rojo=1");
      BlockingQueue<Call> starts = new LinkedBlockingQueue<>();
      BlockingQueue<Call> retries = new LinkedBlockingQueue<>();
      BlockingQueue<Call> ends = new LinkedBlockingQueue<>();
      for (int i = 0; i < 6; i++) {
        Call call = callee.next();
        switch (call.path()) {
          case "/start" -> starts.add(call);
          case "/retry" -> retries.add(call);
          default -> ends.add(call);
        }
      }

      List<Recorded> spans = collector.await(9);
      assertThreeAttempts(spans, task, "etl");
      assertCalls(spans, List.copyOf(starts), "on_start");
      assertCalls(spans, List.copyOf(retries), "on_retry");
      assertCalls(spans, List.copyOf(ends), "on_success");
      assertThat(spans).hasSize(9).extracting(Recorded::state).containsOnly("rojo=1");
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
          .filteredOn(Recorded::error)
          .hasSize(2)
          .allMatch(span -> span.get("server.address").equals("127.0.0.1"))
          .allMatch(span -> span.get("server.port").equals("" + callee.port()));
    }
  }

  @Test
  void when_a_callee_settles_by_its_handle() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        Callee callee = Callee.agreeing();
        TestServer server = server(collector, engine -> {})) {
      JsonNode task = submit(server, calling(callee, "callback"), PARENT);
      BlockingQueue<Call> starts = new LinkedBlockingQueue<>();
      for (int i = 0; i < 3; i++) {
        Call call = callee.next("/start");
        starts.add(call);
        Wire.Answer settled = server.send("PATCH", call.target(), i < 2 ? FAILED : DONE);
        assertThat(settled.status()).as(settled.body()).isEqualTo(200);
      }

      List<Recorded> spans = collector.await(9);
      assertThreeAttempts(spans, task, "etl");
      assertCalls(spans, List.copyOf(starts), "on_start");
      assertThat(calls(spans, "on_start")).noneMatch(Recorded::error);
      assertThat(attempts(spans).getFirst().attributes())
          .containsEntry("perdure.failure.kind", "explicit")
          .containsEntry("perdure.failure.code", "busy");
    }
  }

  @Test
  void when_a_handler_in_java_does_it() throws Exception {
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
                          continued.add(context.traceParent().header());
                          if (context.attempt() < 2) {
                            throw new IOException("the mail server is away");
                          }
                        }))) {
      JsonNode task =
          submit(server, "{\"kind\": \"mail\", \"retry\": %s}".formatted(Desk.AT_ONCE), PARENT);

      List<Recorded> spans = collector.await(3);
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
  void when_a_worker_elsewhere_claims_it() throws Exception {
    BlockingQueue<String> continued = new LinkedBlockingQueue<>();
    try (SpanCollector collector = SpanCollector.open();
        TestServer server = server(collector, engine -> {})) {
      Desk desk = new Desk(server);
      JsonNode task =
          submit(server, "{\"kind\": \"job\", \"retry\": %s}".formatted(Desk.AT_ONCE), PARENT);
      for (int i = 0; i < 3; i++) {
        JsonNode lease = desk.claimOne();
        continued.add(lease.get("traceparent").stringValue());
        String end = i < 2 ? FAILED : DONE;
        String settling = end.replace("}", ", \"epoch\": " + lease.get("epoch") + "}");
        assertThat(desk.patch(lease.get("id").stringValue(), settling).status()).isEqualTo(200);
      }

      List<Recorded> spans = collector.await(3);
      assertThreeAttempts(spans, task, "job");
      assertThat(spans)
          .extracting(span -> "00-" + TRACE + "-" + span.id() + "-01")
          .containsExactlyInAnyOrderElementsOf(continued);
      assertThat(spans).extracting(span -> span.get("perdure.worker")).containsOnly("ada");
    }
  }

  @Test
  void a_task_whose_submitter_is_in_no_trace_has_one_of_its_own() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        Callee callee = Callee.answering(call -> Reply.of(503));
        TestServer server = server(collector, engine -> {})) {
      JsonNode task =
          submit(
              server,
              "{\"kind\": \"etl\", \"on_start\": %s, \"retry\": %s}"
                  .formatted(
                      callee.action("/start", ", \"completion\": \"response\""), Desk.AT_ONCE));

      List<Recorded> spans = collector.await(8);
      assertThat(spans)
          .extracting(Recorded::trace)
          .containsOnly(task.get("trace_id").stringValue());
      assertThat(attempts(spans)).hasSize(4).extracting(Recorded::parent).containsOnly("");
      assertThat(attempts(spans).getLast().attributes())
          .containsEntry("perdure.task.status", "Failure")
          .containsEntry("perdure.give_up_reason", "exhausted");
    }
  }

  @Test
  void a_trace_that_its_submitter_does_not_record_is_not_recorded_here_either() throws Exception {
    String unrecorded = "traceparent: 00-" + TRACE + "-" + SUBMITTER + "-00";
    try (SpanCollector collector = SpanCollector.open();
        Callee callee = Callee.agreeing();
        TestServer server = server(collector, engine -> {})) {
      submit(server, calling(callee, "response"), unrecorded);
      for (String path : List.of("/start", "/end")) {
        assertThat(callee.next(path).header("traceparent"))
            .startsWith("00-" + TRACE + "-")
            .endsWith("-00")
            .doesNotContain(SUBMITTER);
      }
      // What comes later and is recorded shows that the one before was not.
      submit(server, calling(callee, "response"), PARENT.replace(TRACE, "f".repeat(32)));

      assertThat(collector.await(3)).extracting(Recorded::trace).containsOnly("f".repeat(32));
    }
  }

  @Test
  void a_sampler_that_takes_none_sends_none_and_says_so() throws Exception {
    try (SpanCollector collector = SpanCollector.open();
        Callee callee = Callee.agreeing()) {
      Map<Setting<?>, String> none = Map.of(TraceSettings.SAMPLER, "always_off");
      // What it still has to send is sent when it is closed.
      try (TestServer server = server(collector, none, engine -> {})) {
        submit(server, calling(callee, "response"), PARENT);

        assertThat(callee.next("/start").header("traceparent")).matches("00-" + TRACE + "-.*-00");
        assertThat(callee.next("/end").header("traceparent")).matches("00-" + TRACE + "-.*-00");
      }
      assertThat(collector.soFar()).isEmpty();
    }
  }

  @Test
  void the_collector_is_told_who_sends_and_what_the_operator_wants() throws Exception {
    Map<Setting<?>, String> settings =
        Map.of(
            TraceSettings.HEADERS, "x-tenant=ada%20b,authorization=Bearer s3",
            TraceSettings.SERVICE_NAME, "orders",
            TraceSettings.RESOURCE_ATTRIBUTES, "deployment.environment=test",
            TraceSettings.COMPRESSION, "gzip");
    try (SpanCollector collector = SpanCollector.open();
        Callee callee = Callee.agreeing();
        TestServer server = server(collector, settings, engine -> {})) {
      submit(server, calling(callee, "response"));

      assertThat(collector.await(3)).hasSize(3);
      assertThat(collector.header("X-tenant")).isEqualTo("ada b");
      assertThat(collector.header("Authorization")).isEqualTo("Bearer s3");
      assertThat(collector.sender())
          .containsEntry("service.name", "orders")
          .containsEntry("service.instance.id", "tester")
          .containsEntry("service.version", "test")
          .containsEntry("deployment.environment", "test");
    }
  }
}
