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

/** A site of a few routes on a port of its own, whose clock stands still. */
final class TestListener implements AutoCloseable {

  static final String HOST = "Host: localhost\r\n";
  static final String JSON = "Content-Type: application/json\r\n";

  static HttpLimits limits(int bodyBytes, int connections, int requests) {
    return limits(bodyBytes, connections, requests, Duration.ofMinutes(5));
  }

  static HttpLimits withIdleTimeout(Duration idleTime) {
    return limits(1_000, 100, 100, idleTime);
  }

  private static HttpLimits limits(
      int bodyBytes, int connections, int requests, Duration idleTime) {
    return new HttpLimits(
        bodyBytes,
        4 * bodyBytes,
        4 * 1024,
        connections,
        requests,
        Duration.ofSeconds(10),
        idleTime);
  }

  private static final int LARGE = 64 * 1024 * 1024;

  final AtomicReference<Duration> clock = new AtomicReference<>(Duration.ZERO);
  final CountDownLatch release = new CountDownLatch(1);
  final Semaphore waiting = new Semaphore(0);
  final Semaphore lost = new Semaphore(0);
  final JettyListener listener;
  private final Semaphore sweeps = new Semaphore(0);
  private volatile boolean clockFails;

  TestListener() {
    this(HttpLimits.DEFAULT);
  }

  TestListener(HttpLimits limits) {
    this(limits, URI.create("https://tasks.example.org:8443"), false);
  }

  TestListener(HttpLimits limits, URI own, boolean byAnyAddress) {
    HttpPipeline httpPipeline =
        new HttpPipeline(
            new HostOriginCheck(own, byAnyAddress),
            headers -> Caller.ANYONE,
            new RouteTable(
                List.of(
                    Route.get("/fine", Role.READ, request -> text("fine")),
                    Route.get("/health", Role.NONE, request -> text("up")),
                    Route.get("/ready", Role.NONE, request -> text("ready")),
                    Route.post("/length", Role.READ, TestListener::length),
                    Route.post("/json", Role.READ, request -> Response.ok(request.json())),
                    Route.get("/wait", Role.READ, waited(request -> text("waited"))),
                    Route.post("/ignore", Role.READ, waited(request -> text("ignored"))),
                    Route.post("/hold", Role.READ, this::held),
                    Route.get("/there", Role.READ, waited(TestListener::isThere)),
                    Route.get("/gone", Role.READ, waited(whenGone(TestListener::isThere))),
                    Route.get("/gift/gone", Role.READ, waited(whenGone(request -> gift(1)))),
                    Route.post("/slowly", Role.READ, this::slowly),
                    Route.get("/gift", Role.READ, waited(request -> gift(1))),
                    Route.get("/large", Role.READ, waited(request -> gift(LARGE))),
                    Route.get("/deep", Role.READ, TestListener::deep),
                    Route.get("/broken/{what}", Role.READ, TestListener::broken),
                    Route.get("/broken", Role.READ, TestListener::broken))),
            (caller, auditEntry) -> {},
            thrown -> Optional.empty(),
            new SplittableRandom(1));
    listener = JettyListener.start("127.0.0.1", 0, limits, this::swept, httpPipeline);
  }

  /** Only who sweeps asks for the time. */
  private Duration swept() {
    sweeps.release();
    if (clockFails) {
      throw new IllegalStateException("no time");
    }
    return clock.get();
  }

  /** Waits until every connection has been looked at, from beginning to end. */
  void awaitSweep() throws InterruptedException {
    sweeps.drainPermits();
    if (!sweeps.tryAcquire(2, 20, TimeUnit.SECONDS)) {
      throw new AssertionError("nobody sweeps");
    }
  }

  /** The clock fails while it is asked once. */
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

  private static Response isThere(Request request) {
    return text(request.permit().isClientGone() ? "gone" : "there");
  }

  /** Answers when its client is seen to have gone, which it may have a while before. */
  private static Function<Request, Response> whenGone(Function<Request, Response> answer) {
    return request -> {
      try {
        Eventually.await(() -> request.permit().isClientGone(), gone -> gone);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return answer.apply(request);
    };
  }

  /** Is known to wait for its body. */
  private Response slowly(Request request) {
    waiting.release();
    return length(request);
  }

  private Response held(Request request) {
    request.body().read();
    return waited(held -> text("held")).handle(request);
  }

  private Response gift(int size) {
    return new Response(HttpStatus.OK, Map.of(), new byte[size]).onClientGone(lost::release);
  }

  private static Response broken(Request request) {
    throw new IllegalStateException("the secret of the house");
  }

  @SuppressWarnings("InfiniteRecursion")
  private static Response deep(Request request) {
    return deep(request).withHeader("never", "sent");
  }

  /** Answers when it is released. */
  private RequestHandler waited(Function<Request, Response> answer) {
    return request -> {
      waiting.release();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return answer.apply(request);
    };
  }

  /** Waits until so many more are on their way to be answered. */
  void awaitWaiting(int requests) throws InterruptedException {
    if (!waiting.tryAcquire(requests, 20, TimeUnit.SECONDS)) {
      throw new AssertionError("they do not come");
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
