// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.perdure.client.ApiException;
import dev.perdure.client.AttemptRef;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TransportException;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service that the demo's tasks call: it succeeds, fails, is slow, or never reports back. */
final class FlakyService implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FlakyService.class);
  private static final String HANDLE = "handle=";
  private static final Pattern TASK = Pattern.compile("[0-9a-f-]{36}\\?handle=[\\w.~-]+");
  private static final Pattern ROWS = Pattern.compile("\"rows\": ?(\\d+)");
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
    service.answer("/card", service::card);
    service.answer("/stock", service::stock);
    service.answer("/report", service::report);
    service.answer("/feed", service::feed);
    service.answer("/legacy", exchange -> answer(exchange, 500, "out of order"));
    service.answer("/pager", exchange -> answer(exchange, 200, "paged"));
    service.answer("/partner", exchange -> answer(exchange, 503, "down for maintenance"));
    service.answer("/court", exchange -> answer(exchange, 409, "no free slot"));
    service.answer("/page", service::page);
    service.answer("/rows", service::rows);
    service.answer("/check", service::check);
    service.http.start();
    return service;
  }

  /** Refuses requests from web pages, which could use this service to reach the local server. */
  private void answer(String path, HttpHandler handler) {
    http.createContext(
        path,
        exchange -> {
          if (isFromBrowser(exchange.getRequestHeaders())) {
            answer(exchange, 403, "requests from web pages are refused");
          } else {
            handler.handle(exchange);
          }
        });
  }

  private boolean isFromBrowser(Headers headers) {
    String site = headers.getFirst("Sec-Fetch-Site");
    return headers.containsKey("Origin")
        || (site != null && !site.equals("none"))
        // A page whose own host name resolves to this address sends neither of these headers.
        || !ALLOWED_HOSTS.contains(String.valueOf(headers.getFirst("Host")).split(":", 2)[0]);
  }

  /** Sets the server; only handles of this server are called back. */
  void setServer(URI url) {
    server = PerdureClient.builder(url).build();
    handles = url + "/task/";
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  /** One call in three fails. */
  private void mail(HttpExchange exchange) throws IOException {
    boolean overloaded = random.nextInt(3) == 0;
    answer(exchange, overloaded ? 503 : 200, overloaded ? "overloaded" : "{\"sent\": true}");
  }

  /** Declines one card in three. */
  private void card(HttpExchange exchange) throws IOException {
    boolean declined = random.nextInt(3) == 0;
    answer(exchange, declined ? 402 : 200, declined ? "the card was declined" : "{\"paid\": true}");
  }

  /** Accepts every call, and never reports the end of one in five. */
  private void feed(HttpExchange exchange) throws IOException {
    if (random.nextInt(5) == 0) {
      answer(exchange, 202, "accepted");
    } else {
      report(exchange);
    }
  }

  /** Takes a second or two, and fails now and then. */
  private void page(HttpExchange exchange) throws IOException {
    pause(800, 2_000);
    boolean reset = random.nextInt(12) == 0;
    answer(exchange, reset ? 502 : 200, reset ? "connection reset" : "{\"rows\": 1}");
  }

  /** Rate-limits one call in three, with a Retry-After. */
  private void stock(HttpExchange exchange) throws IOException {
    if (random.nextInt(3) == 0) {
      exchange.getResponseHeaders().add("Retry-After", "3");
      answer(exchange, 429, "slow down");
    } else {
      answer(exchange, 200, "{\"items\": 42}");
    }
  }

  /** Works for a moment, so that people can watch, and answers with the sum of all rows sent. */
  private void rows(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    int sum = ROWS.matcher(body).results().mapToInt(row -> Integer.parseInt(row.group(1))).sum();
    pause(300, 1_500);
    answer(exchange, 200, "{\"rows\": %d}".formatted(sum));
  }

  private void pause(int fromMs, int toMs) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(fromMs, toMs)));
  }

  /** The same, but one call in three finds a mistake. */
  private void check(HttpExchange exchange) throws IOException {
    if (random.nextInt(3) == 0) {
      answer(exchange, 422, "rows are missing");
    } else {
      rows(exchange);
    }
  }

  /** Works in the background, reports progress, and settles the task at the end. */
  private void report(HttpExchange exchange) throws IOException {
    AttemptRef attempt = handle(exchange);
    if (attempt == null) {
      answer(exchange, 400, "handle: must belong to the demo's server");
    } else {
      answer(exchange, 202, "started");
      work(attempt, 0);
    }
  }

  private void work(AttemptRef attempt, int done) {
    Future<?> unused =
        scheduler.schedule(
            () -> reportProgress(attempt, done), 300 + random.nextInt(500), TimeUnit.MILLISECONDS);
  }

  private void reportProgress(AttemptRef attempt, int done) {
    PerdureClient client = server;
    try {
      if (client != null && step(client, attempt, done)) {
        work(attempt, done + 1);
      }
    } catch (TransportException | ApiException e) {
      LOG.debug("the attempt is over", e);
    }
  }

  /** Returns whether another step follows. */
  private boolean step(PerdureClient client, AttemptRef attempt, int done) {
    if (done == STEPS) {
      client.succeed(attempt, Map.of("pages", STEPS));
      return false;
    }
    if (done == STEPS / 2 && random.nextInt(8) == 0) {
      client.fail(attempt, Failure.of(FailureKind.EXPLICIT).withMessage("the printer jammed"));
      return false;
    }
    client.reportProgress(attempt, 1, 0);
    return true;
  }

  /** The attempt that the handle belongs to; null when it is not a handle of our server. */
  private @Nullable AttemptRef handle(HttpExchange exchange) {
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    for (String part : query.split("&", -1)) {
      if (part.startsWith(HANDLE)) {
        String url = URLDecoder.decode(part.substring(HANDLE.length()), StandardCharsets.UTF_8);
        String id = url.startsWith(handles) ? url.substring(handles.length()) : "";
        return TASK.matcher(id).matches() ? AttemptRef.ofHandle(URI.create(url)) : null;
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
    PerdureClient client = server;
    if (client != null) {
      client.close();
    }
  }
}
