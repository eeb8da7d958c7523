// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.perdure.client.ApiException;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the example's tasks call: a service that answers well, badly, late or never, as services do.
 */
final class FlakyService implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FlakyService.class);
  private static final String HANDLE = "handle=";
  private static final Pattern TASK = Pattern.compile("[0-9a-f-]{36}\\?handle=[\\w.~-]+");
  private static final Set<String> ALLOWED_HOSTS = Set.of("127.0.0.1", "localhost");
  private static final int STEPS = 10;

  private final HttpServer http;
  private volatile @Nullable PerdureClient server;
  private volatile String handles = "";
  private final RandomGenerator random;
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);

  private FlakyService(HttpServer http, RandomGenerator random) {
    this.http = http;
    this.random = random;
  }

  /** Listens on a free port of the loopback address. */
  static FlakyService start(RandomGenerator random) throws IOException {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    FlakyService service = new FlakyService(HttpServer.create(free, 0), random);
    service.http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    service.answer("/mail", service::mail);
    service.answer("/card", exchange -> answer(exchange, 402, "the card was declined"));
    service.answer("/stock", service::stock);
    service.answer("/report", service::report);
    service.answer("/feed", exchange -> answer(exchange, 202, "I shall call back"));
    service.answer("/legacy", exchange -> answer(exchange, 500, "out of order"));
    service.answer("/pager", exchange -> answer(exchange, 200, "somebody was woken"));
    service.http.start();
    return service;
  }

  /** No web page has any business here: it could make us call whom it cannot reach itself. */
  private void answer(String path, HttpHandler handler) {
    http.createContext(
        path,
        exchange -> {
          if (isFromBrowser(exchange.getRequestHeaders())) {
            answer(exchange, 403, "web pages are not answered");
          } else {
            handler.handle(exchange);
          }
        });
  }

  private boolean isFromBrowser(Headers headers) {
    String site = headers.getFirst("Sec-Fetch-Site");
    return headers.containsKey("Origin")
        || (site != null && !site.equals("none"))
        // A name that was made to lead here is a page's own, and says neither of the two.
        || !ALLOWED_HOSTS.contains(String.valueOf(headers.getFirst("Host")).split(":", 2)[0]);
  }

  /** From now on handles of this server, and of no other, are called back. */
  void setServer(URI url) {
    server = new PerdureClient(url, null);
    handles = url + "/task/";
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
    String handle = handle(exchange);
    if (handle == null) {
      answer(exchange, 400, "handle: must be one of this example's server");
    } else {
      answer(exchange, 202, "started");
      work(handle, 0);
    }
  }

  private void work(String handle, int done) {
    Future<?> unused =
        scheduler.schedule(
            () -> reportProgress(handle, done), 300 + random.nextInt(500), TimeUnit.MILLISECONDS);
  }

  private void reportProgress(String handle, int done) {
    PerdureClient perdureClient = server;
    try {
      if (perdureClient != null && step(perdureClient, handle, done)) {
        work(handle, done + 1);
      }
    } catch (TransportException | ApiException e) {
      LOG.debug("the task does not want to hear of it any more", e);
    }
  }

  /** Returns whether there is another. */
  private boolean step(PerdureClient perdureClient, String handle, int done) {
    if (done == STEPS) {
      perdureClient.send("PATCH", handle, "{\"status\": \"Success\", \"result\": {\"pages\": 10}}");
      return false;
    }
    if (done == STEPS / 2 && random.nextInt(4) == 0) {
      perdureClient.send(
          "PATCH", handle, "{\"status\": \"Failure\", \"failure_reason\": \"the printer jammed\"}");
      return false;
    }
    perdureClient.send("PUT", handle, "{\"new_success\": 1}");
    return true;
  }

  /** The handle's path and query at our server; null when it is not one of its. */
  private @Nullable String handle(HttpExchange exchange) {
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    for (String part : query.split("&", -1)) {
      if (part.startsWith(HANDLE)) {
        String url = URLDecoder.decode(part.substring(HANDLE.length()), StandardCharsets.UTF_8);
        String id = url.startsWith(handles) ? url.substring(handles.length()) : "";
        return TASK.matcher(id).matches() ? "/task/" + id : null;
      }
    }
    return null;
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
    scheduler.shutdownNow();
    http.stop(0);
    PerdureClient perdureClient = server;
    if (perdureClient != null) {
      perdureClient.close();
    }
  }
}
