// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Passes requests below a path on to a server, without that path, as a web server would. */
final class ReverseProxy implements AutoCloseable {

  private static final Set<String> NOT_PASSED_ON =
      Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "date");

  private final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final String path;
  private final String target;

  private ReverseProxy(HttpServer server, String path, String target) {
    this.server = server;
    this.path = path;
    this.target = target;
  }

  static ReverseProxy start(int port, String path, String target) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    ReverseProxy proxy = new ReverseProxy(server, path, target);
    server.setExecutor(proxy.threads);
    server.createContext("/", proxy::pass);
    server.start();
    return proxy;
  }

  /** The requests for other paths. */
  List<String> refused() {
    return refused;
  }

  private void pass(HttpExchange exchange) throws IOException {
    String uri = exchange.getRequestURI().toString();
    if (!uri.startsWith(path + "/")) {
      refused.add(uri);
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
      return;
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(target + uri.substring(path.length())))
            .method(
                exchange.getRequestMethod(),
                HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    try (exchange) {
      answer(exchange, client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends each part at once: events must not wait for more. */
  private static void answer(HttpExchange exchange, HttpResponse<InputStream> response)
      throws IOException {
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, values);
              }
            });
    boolean empty = response.statusCode() == 204 || response.statusCode() == 304;
    exchange.sendResponseHeaders(response.statusCode(), empty ? -1 : 0);
    if (empty) {
      return;
    }
    byte[] part = new byte[8_192];
    try (InputStream in = response.body();
        OutputStream out = exchange.getResponseBody()) {
      for (int length = in.read(part); length >= 0; length = in.read(part)) {
        out.write(part, 0, length);
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
