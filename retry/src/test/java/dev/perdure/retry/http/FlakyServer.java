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

  record Answer(int status, Map<String, String> headers) {}

  record Asked(String method, String body, List<String> keys) {}

  private final HttpServer server;
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  FlakyServer(Answer... answers) throws IOException {
    this.answers.addAll(Arrays.asList(answers));
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  static Answer status(int status) {
    return new Answer(status, Map.of());
  }

  static Answer status(int status, String header, String value) {
    return new Answer(status, Map.of(header, value));
  }

  /** The last answer is given again and again. */
  private synchronized void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    List<String> keys = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
    asked.add(new Asked(exchange.getRequestMethod(), body, List.copyOf(keys)));
    Answer answer = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] text = ("status " + answer.status()).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  List<Asked> asked() {
    return asked;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
