// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A server that responds as the test says, and a client of it. */
abstract class ScriptedServerFixture {

  static final String BUSY_PROBLEM =
      "{\"title\": \"Service Unavailable\", \"detail\": \"too busy\"}";
  static final UUID ID = new UUID(1, 2);
  static final int NO_RESPONSE = 0;

  /** A 503 with Retry-After: nothing was changed. */
  static final int BUSY = 503;

  /** A 503 without Retry-After: the change may have been made. */
  static final int UNSURE = -503;

  final List<String> keys = new CopyOnWriteArrayList<>();

  /** Each request as its method, target and body. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** Headers of every response. */
  final Map<String, String> responseHeaders = new ConcurrentHashMap<>();

  private @Nullable HttpServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  /**
   * A client of a server that responds with these statuses in turn.
   *
   * @param text the body of every response except a 503
   */
  PerdureClient scripted(String text, Integer... statuses) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server = http;
    Iterator<Integer> script = List.of(statuses).iterator();
    http.createContext(
        "/",
        exchange -> {
          byte[] received = exchange.getRequestBody().readAllBytes();
          requests.add(
              "%s %s %s"
                  .formatted(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI(),
                      new String(received, StandardCharsets.UTF_8))
                  .strip());
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
          int status = script.next();
          responseHeaders.forEach(exchange.getResponseHeaders()::add);
          if (status == BUSY) {
            exchange.getResponseHeaders().add("Retry-After", "2");
          } else if (status == 200) {
            exchange.getResponseHeaders().add("Link", "</task?after=x>; rel=\"next\"");
          }
          if (status != NO_RESPONSE) {
            boolean busy = Math.abs(status) == 503;
            byte[] body = (busy ? BUSY_PROBLEM : text).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(Math.abs(status), body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    http.start();
    return PerdureClient.builder(url(http.getAddress().getPort())).build();
  }

  static URI url(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  static TransportException failure(PerdureClient client) {
    return catchThrowableOfType(TransportException.class, () -> client.submit(TaskRequest.of("a")));
  }

  static String task() {
    return """
        [{"id": "ID", "batch_id": "ID", "run": 1, "kind": "a", "status": "Dreaming", "attempt": 0,
          "epoch": 0, "priority": 0, "paused": false, "losses": 0, "created_at": "NOW",
          "run_at": "NOW", "last_updated": "NOW", "new_field": 1}]"""
        .replace("ID", ID.toString())
        .replace("NOW", "2026-01-01T00:00:00Z");
  }
}
