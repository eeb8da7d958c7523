// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.server.http.jetty.JettyListener;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** A site of a few routes on a port of its own, whose clock stands still. */
final class Listening implements AutoCloseable {

  final AtomicReference<Duration> clock = new AtomicReference<>(Duration.ZERO);
  final CountDownLatch release = new CountDownLatch(1);
  final Semaphore waiting = new Semaphore(0);
  final JettyListener listener;

  Listening() {
    this(HttpLimits.DEFAULT);
  }

  Listening(HttpLimits limits) {
    this(limits, URI.create("https://tasks.example.org:8443"), false);
  }

  Listening(HttpLimits limits, URI own, boolean byAnyAddress) {
    Site site =
        new Site(
            new OwnNames(own, byAnyAddress),
            headers -> Caller.ANYONE,
            new RouteTable(
                List.of(
                    Route.get("/fine", Role.READ, request -> text("fine")),
                    Route.post("/length", Role.READ, Listening::length),
                    Route.post("/json", Role.READ, request -> Response.ok(request.json())),
                    Route.get("/wait", Role.READ, request -> waited()),
                    Route.get("/deep", Role.READ, Listening::deep),
                    Route.get("/broken/{what}", Role.READ, Listening::broken),
                    Route.get("/broken", Role.READ, Listening::broken))),
            (caller, deed) -> {},
            thrown -> Optional.empty(),
            new SplittableRandom(1));
    listener = JettyListener.start("127.0.0.1", 0, limits, clock::get, site);
  }

  private static Response text(String text) {
    return Response.text(Status.OK, "text/plain", text);
  }

  private static Response length(Request request) {
    return text(Integer.toString(request.body().read().length));
  }

  private static Response broken(Request request) {
    throw new IllegalStateException("the secret of the house");
  }

  @SuppressWarnings("InfiniteRecursion")
  private static Response deep(Request request) {
    return deep(request).with("never", "sent");
  }

  private Response waited() {
    waiting.release();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return text("waited");
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
