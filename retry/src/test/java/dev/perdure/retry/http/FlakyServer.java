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

/** A server on this machine that answers as it is told, and remembers what it was asked. */
final class FlakyServer implements AutoCloseable {

  record CannedResponse(int status, Map<String, String> headers) {}

  record ReceivedRequest(String method, String body, List<String> keys) {}

  private final HttpServer server;
  private final Deque<CannedResponse> cannedResponses = new ArrayDeque<>();
  private final List<ReceivedRequest> asked = new CopyOnWriteArrayList<>();

  FlakyServer(CannedResponse... answers) throws IOException {
    this.cannedResponses.addAll(Arrays.asList(answers));
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  static CannedResponse status(int status) {
    return new CannedResponse(status, Map.of());
  }

  static CannedResponse status(int status, String header, String value) {
    return new CannedResponse(status, Map.of(header, value));
  }

  /** The last answer is given again and again. */
  private synchronized void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    List<String> keys = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
    asked.add(new ReceivedRequest(exchange.getRequestMethod(), body, List.copyOf(keys)));
    CannedResponse cannedResponse =
        cannedResponses.size() > 1 ? cannedResponses.removeFirst() : cannedResponses.getFirst();
    cannedResponse.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] text = ("status " + cannedResponse.status()).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(cannedResponse.status(), text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  List<ReceivedRequest> asked() {
    return asked;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
