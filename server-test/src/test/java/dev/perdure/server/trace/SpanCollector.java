// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/** A collector on this machine that records the spans it receives by OTLP over HTTP. */
final class SpanCollector implements AutoCloseable {

  private static final int TIMEOUT_SECONDS = 30;

  private final HttpServer server;
  private final List<RecordedSpan> spans = new ArrayList<>();
  private final List<Map<String, List<String>>> headers = new ArrayList<>();
  private final CountDownLatch release;
  private final CountDownLatch requested = new CountDownLatch(1);
  private Resource resource = Resource.getDefaultInstance();

  /** One span, its ids as text. */
  record RecordedSpan(
      String name,
      String trace,
      String id,
      String parent,
      Span.SpanKind kind,
      boolean error,
      String state,
      long nanos,
      Map<String, String> attributes) {

    static RecordedSpan of(Span span) {
      return new RecordedSpan(
          span.getName(),
          hex(span.getTraceId().toByteArray()),
          hex(span.getSpanId().toByteArray()),
          hex(span.getParentSpanId().toByteArray()),
          span.getKind(),
          span.getStatus().getCodeValue() == 2,
          span.getTraceState(),
          span.getEndTimeUnixNano() - span.getStartTimeUnixNano(),
          SpanCollector.attributes(span.getAttributesList()));
    }

    String get(String attribute) {
      return attributes.getOrDefault(attribute, "");
    }

    private static String hex(byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
  }

  private SpanCollector(CountDownLatch release) {
    this.release = release;
    try {
      InetAddress here = InetAddress.getLoopbackAddress();
      server = HttpServer.create(new InetSocketAddress(here, 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/traces", this::receive);
    server.start();
  }

  static SpanCollector open() {
    return new SpanCollector(new CountDownLatch(0));
  }

  /** Receives requests but does not respond until it is {@link #release() released}. */
  static SpanCollector hanging() {
    return new SpanCollector(new CountDownLatch(1));
  }

  void release() {
    release.countDown();
  }

  /** Waits for the first request. */
  void awaitRequest() throws InterruptedException {
    if (!requested.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing was sent to the collector");
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean compressed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream raw = exchange.getRequestBody();
      ExportTraceServiceRequest request =
          ExportTraceServiceRequest.parseFrom(compressed ? new GZIPInputStream(raw) : raw);
      requested.countDown();
      release.await();
      add(request, new HashMap<>(exchange.getRequestHeaders()));
      byte[] response = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
      exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, response.length == 0 ? -1 : response.length);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void add(
      ExportTraceServiceRequest request, Map<String, List<String>> withHeaders) {
    headers.add(withHeaders);
    for (ResourceSpans each : request.getResourceSpansList()) {
      resource = each.getResource();
      for (ScopeSpans scope : each.getScopeSpansList()) {
        scope.getSpansList().stream().map(RecordedSpan::of).forEach(spans::add);
      }
    }
    notifyAll();
  }

  /** Waits for this many spans; returns all that have arrived. */
  synchronized List<RecordedSpan> await(int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (spans.size() < count) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError(
            "only %d of %d spans arrived: %s".formatted(spans.size(), count, spans));
      }
      wait(left);
    }
    return List.copyOf(spans);
  }

  synchronized List<RecordedSpan> soFar() {
    return List.copyOf(spans);
  }

  synchronized String header(String name) {
    return headers.getFirst().getOrDefault(name, List.of("")).getFirst();
  }

  /** The attributes that describe the sender. */
  synchronized Map<String, String> resourceAttributes() {
    return attributes(resource.getAttributesList());
  }

  private static Map<String, String> attributes(List<KeyValue> keyValues) {
    Map<String, String> attributes = new HashMap<>();
    for (KeyValue keyValue : keyValues) {
      boolean text = keyValue.getValue().hasStringValue();
      attributes.put(
          keyValue.getKey(),
          text ? keyValue.getValue().getStringValue() : "" + keyValue.getValue().getIntValue());
    }
    return attributes;
  }

  @Override
  public void close() {
    release();
    server.stop(0);
  }
}
