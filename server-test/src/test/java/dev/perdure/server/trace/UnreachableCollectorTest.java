// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Setting;
import dev.perdure.server.trace.otlp.OtlpTracing;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A collector that does not respond costs no work, no time and no memory. Code that waited for it
 * would wait for ten minutes.
 */
@Tag("slow")
@Timeout(120)
class UnreachableCollectorTest {

  private static final int SPANS = 50_000;

  /** The queue, the batch in flight, and the batch that was sent before the collector hung. */
  private static final int MAX_KEPT = 2_048 + 2 * 512;

  private static final Tracing.Call CALL =
      new Tracing.Call(new UUID(1, 2), "on_start", "POST", "example.org", 443);

  private static final TraceContext CAUSE =
      TraceContext.parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01").orElseThrow();

  @TempDir private Path folder;

  private final AtomicInteger dropped = new AtomicInteger();

  /** The export timeout is longer than the tests may take. */
  private static Map<Setting<?>, String> settings(SpanCollector collector) {
    return Map.of(TraceSettings.ENDPOINT, collector.url(), TraceSettings.TIMEOUT, "600000");
  }

  private Tracing tracing(SpanCollector collector) {
    Configuration configuration = TestServer.configuration(folder, settings(collector));
    return OtlpTracing.open(
        OtlpEndpoint.of(configuration).orElseThrow(),
        configuration,
        "tester",
        "test",
        dropped::addAndGet);
  }

  @Test
  void spans_beyond_the_queue_are_dropped_at_once() throws Exception {
    try (SpanCollector collector = SpanCollector.hanging()) {
      Tracing tracing = tracing(collector);
      tracing.startCall(CAUSE, CALL).end(200, Optional.empty());
      collector.awaitRequest();
      for (int i = 0; i < SPANS; i++) {
        tracing.startCall(CAUSE, CALL).end(200, Optional.empty());
      }

      collector.release();
      collector.await(2_048);
      tracing.close();
      assertThat(collector.soFar()).hasSizeBetween(2_048, MAX_KEPT);
      assertThat(collector.soFar().size() + dropped.get()).isEqualTo(SPANS + 1);
    }
  }

  @Test
  void tasks_run_and_the_server_stops_in_time() throws Exception {
    try (SpanCollector collector = SpanCollector.hanging()) {
      TestServer server =
          TestServer.in(
              folder,
              settings(collector),
              engine -> engine.register("job", JsonNode.class, (payload, context) -> {}));
      String tasks =
          IntStream.range(0, 1_000)
              .mapToObj(i -> "{\"kind\": \"job\"}")
              .collect(Collectors.joining(",", "[", "]"));
      assertThat(server.post("/task", tasks).status()).isEqualTo(201);
      Eventually.await(
          () -> server.get("/task?status=Success&page_size=1").header("X-Total-Count"),
          "1000"::equals);
      collector.awaitRequest();

      server.close();
    }
  }

  @Test
  void tasks_run_and_spans_are_dropped_when_the_port_is_closed() throws Exception {
    SpanCollector closed = SpanCollector.open();
    closed.close();
    try (TestServer server =
        TestServer.in(
            folder,
            Map.of(TraceSettings.ENDPOINT, closed.url()),
            engine -> engine.register("job", JsonNode.class, (payload, context) -> {}))) {
      assertThat(server.post("/task", "{\"kind\": \"job\"}").status()).isEqualTo(201);
      Eventually.await(
          () -> server.get("/task?status=Success").header("X-Total-Count"), "1"::equals);
      Eventually.await(
          () -> server.get("/metrics").body().lines().toList(),
          lines -> lines.contains("trace_spans_dropped_total 1.0"));
    }
  }
}
