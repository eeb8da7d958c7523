// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the example's tasks call: a service that answers well, badly, late or never, as services do.
 */
final class FlakyService implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FlakyService.class);
  private static final String HANDLE = "handle=";
  private static final int STEPS = 10;

  private final HttpServer http;
  private final Api api = new Api(URI.create("http://127.0.0.1"));
  private final RandomGenerator random;
  private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);

  private FlakyService(HttpServer http, RandomGenerator random) {
    this.http = http;
    this.random = random;
  }

  /** Listens on a free port of the loopback address. */
  static FlakyService start(RandomGenerator random) throws IOException {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    FlakyService service = new FlakyService(HttpServer.create(free, 0), random);
    service.http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    service.http.createContext("/mail", service::mail);
    service.http.createContext("/card", exchange -> answer(exchange, 402, "the card was declined"));
    service.http.createContext("/stock", service::stock);
    service.http.createContext("/report", service::report);
    service.http.createContext("/feed", exchange -> answer(exchange, 202, "I shall call back"));
    service.http.createContext("/legacy", exchange -> answer(exchange, 500, "out of order"));
    service.http.createContext("/pager", exchange -> answer(exchange, 200, "somebody was woken"));
    service.http.start();
    return service;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  /** Every third time the mail server is overloaded. */
  private void mail(HttpExchange exchange) throws IOException {
    boolean overloaded = random.nextInt(3) == 0;
    answer(exchange, overloaded ? 503 : 200, overloaded ? "overloaded" : "{\"sent\": true}");
  }

  /** Wants its callers to slow down, and says for how long. */
  private void stock(HttpExchange exchange) throws IOException {
    if (random.nextBoolean()) {
      exchange.getResponseHeaders().add("Retry-After", "3");
      answer(exchange, 429, "slow down");
    } else {
      answer(exchange, 200, "{\"items\": 42}");
    }
  }

  /** Works in the background, tells how far it is, and says when it has finished. */
  private void report(HttpExchange exchange) throws IOException {
    URI handle = handle(exchange);
    answer(exchange, 202, "started");
    work(handle, 0);
  }

  private void work(URI handle, int done) {
    Future<?> unused =
        later.schedule(() -> tell(handle, done), 300 + random.nextInt(500), TimeUnit.MILLISECONDS);
  }

  private void tell(URI handle, int done) {
    try {
      step(handle, done);
    } catch (IOException e) {
      LOG.debug("the task does not want to hear of it any more", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void step(URI handle, int done) throws IOException, InterruptedException {
    if (done == STEPS) {
      api.send(handle, "PATCH", "{\"status\": \"Success\", \"result\": {\"pages\": 10}}");
    } else if (done == STEPS / 2 && random.nextInt(4) == 0) {
      api.send(
          handle, "PATCH", "{\"status\": \"Failure\", \"failure_reason\": \"the printer jammed\"}");
    } else {
      api.send(handle, "PUT", "{\"new_success\": 1}");
      work(handle, done + 1);
    }
  }

  private static URI handle(HttpExchange exchange) {
    for (String part : exchange.getRequestURI().getRawQuery().split("&", -1)) {
      if (part.startsWith(HANDLE)) {
        return URI.create(
            URLDecoder.decode(part.substring(HANDLE.length()), StandardCharsets.UTF_8));
      }
    }
    throw new IllegalArgumentException("the call carries no handle");
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    later.shutdownNow();
    http.stop(0);
    api.close();
  }
}
