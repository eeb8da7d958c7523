// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.server.Eventually;
import dev.perdure.server.http.jetty.JettyListener;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** A listener with a few test routes on a free port. Its clock moves only when a test moves it. */
final class TestListener implements AutoCloseable {

  static final String HOST = "Host: localhost\r\n";
  static final String JSON = "Content-Type: application/json\r\n";

  static HttpLimits limits(int bodyBytes, int connections, int requests) {
    return limits(bodyBytes, connections, requests, Duration.ofMinutes(5));
  }

  static HttpLimits withIdleTimeout(Duration idleTimeout) {
    return limits(1_000, 100, 100, idleTimeout);
  }

  private static HttpLimits limits(
      int bodyBytes, int connections, int requests, Duration idleTimeout) {
    return new HttpLimits(
        bodyBytes,
        4 * bodyBytes,
        4 * 1024,
        connections,
        requests,
        Duration.ofSeconds(10),
        idleTimeout);
  }

  private static final int LARGE = 64 * 1024 * 1024;

  final AtomicReference<Duration> clock = new AtomicReference<>(Duration.ZERO);
  final CountDownLatch release = new CountDownLatch(1);
  final Semaphore waiting = new Semaphore(0);
  final Semaphore undelivered = new Semaphore(0);
  final JettyListener listener;
  private final Semaphore sweeps = new Semaphore(0);
  private volatile boolean clockFails;

  TestListener() {
    this(HttpLimits.DEFAULT);
  }

  TestListener(HttpLimits limits) {
    this(limits, URI.create("https://tasks.example.org:8443"), false);
  }

  TestListener(HttpLimits limits, URI hostUrl, boolean anyAddress) {
    HttpPipeline pipeline =
        new HttpPipeline(
            new HostOriginCheck(hostUrl, anyAddress),
            headers -> Caller.ANYONE,
            new RouteTable(
                List.of(
                    Route.get("/fine", Role.READ, request -> text("fine")),
                    Route.get("/health", Role.NONE, request -> text("up")),
                    Route.get("/ready", Role.NONE, request -> text("ready")),
                    Route.post("/length", Role.READ, TestListener::length),
                    Route.post("/json", Role.READ, request -> Response.ok(request.json())),
                    Route.get("/wait", Role.READ, afterRelease(request -> text("waited"))),
                    Route.post("/ignore", Role.READ, afterRelease(request -> text("ignored"))),
                    Route.post("/hold", Role.READ, this::held),
                    Route.get("/connected", Role.READ, afterRelease(TestListener::connectionState)),
                    Route.get(
                        "/gone", Role.READ, afterRelease(whenGone(TestListener::connectionState))),
                    Route.get(
                        "/tracked/gone", Role.READ, afterRelease(whenGone(request -> tracked(1)))),
                    Route.post("/slowly", Role.READ, this::slowly),
                    Route.get("/tracked", Role.READ, afterRelease(request -> tracked(1))),
                    Route.get("/large", Role.READ, afterRelease(request -> tracked(LARGE))),
                    Route.get("/deep", Role.READ, TestListener::deep),
                    Route.get("/broken/{what}", Role.READ, TestListener::broken),
                    Route.get("/broken", Role.READ, TestListener::broken))),
            (caller, auditEntry) -> {},
            thrown -> Optional.empty(),
            new SplittableRandom(1));
    listener = JettyListener.start("127.0.0.1", 0, limits, this::sweepTime, pipeline);
  }

  /** Only the sweep reads the clock. */
  private Duration sweepTime() {
    sweeps.release();
    if (clockFails) {
      throw new IllegalStateException("no time");
    }
    return clock.get();
  }

  /** Waits until one sweep has checked every connection. */
  void awaitSweep() throws InterruptedException {
    sweeps.drainPermits();
    if (!sweeps.tryAcquire(2, 20, TimeUnit.SECONDS)) {
      throw new AssertionError("no sweep ran");
    }
  }

  /** Lets the clock fail during a sweep. */
  void failClock() throws InterruptedException {
    clockFails = true;
    awaitSweep();
    clockFails = false;
  }

  private static Response text(String text) {
    return Response.text(HttpStatus.OK, "text/plain", text);
  }

  private static Response length(Request request) {
    return text(Integer.toString(request.body().read().length));
  }

  private static Response connectionState(Request request) {
    return text(request.permit().isClientGone() ? "gone" : "connected");
  }

  /** Responds when the server has noticed that the client disconnected. */
  private static Function<Request, Response> whenGone(Function<Request, Response> respond) {
    return request -> {
      try {
        Eventually.await(() -> request.permit().isClientGone(), gone -> gone);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return respond.apply(request);
    };
  }

  /** Signals that it waits for its body. */
  private Response slowly(Request request) {
    waiting.release();
    return length(request);
  }

  private Response held(Request request) {
    request.body().read();
    return afterRelease(held -> text("held")).handle(request);
  }

  private Response tracked(int size) {
    return new Response(HttpStatus.OK, Map.of(), new byte[size]).onClientGone(undelivered::release);
  }

  private static Response broken(Request request) {
    throw new IllegalStateException("a secret detail");
  }

  @SuppressWarnings("InfiniteRecursion")
  private static Response deep(Request request) {
    return deep(request).withHeader("never", "sent");
  }

  /** Responds when the test releases it. */
  private RequestHandler afterRelease(Function<Request, Response> respond) {
    return request -> {
      waiting.release();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return respond.apply(request);
    };
  }

  /** Waits until this many more requests are in a handler. */
  void awaitWaiting(int requests) throws InterruptedException {
    if (!waiting.tryAcquire(requests, 20, TimeUnit.SECONDS)) {
      throw new AssertionError("too few requests arrived");
    }
  }

  int port() {
    return listener.port();
  }

  @Override
  public void close() {
    release.countDown();
    listener.stop(Duration.ofSeconds(5));
  }
}
