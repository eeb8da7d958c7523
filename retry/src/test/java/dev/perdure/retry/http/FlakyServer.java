// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A local server that returns canned responses and records its requests. */
final class FlakyServer implements AutoCloseable {

  record CannedResponse(int status, Map<String, String> headers) {}

  record ReceivedRequest(String method, String body, List<String> keys) {}

  private final HttpServer server;
  private final Deque<CannedResponse> responses = new ArrayDeque<>();
  private final List<ReceivedRequest> requests = new CopyOnWriteArrayList<>();

  FlakyServer(CannedResponse... responses) throws IOException {
    this.responses.addAll(Arrays.asList(responses));
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  static CannedResponse status(int status) {
    return new CannedResponse(status, Map.of());
  }

  static CannedResponse status(int status, String header, String value) {
    return new CannedResponse(status, Map.of(header, value));
  }

  /** Returns the next response; the last one repeats. */
  private synchronized void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    List<String> keys = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
    requests.add(new ReceivedRequest(exchange.getRequestMethod(), body, List.copyOf(keys)));
    CannedResponse response = responses.size() > 1 ? responses.removeFirst() : responses.getFirst();
    response.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] text = ("status " + response.status()).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(response.status(), text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  List<ReceivedRequest> requests() {
    return requests;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
