// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpLimits;
import dev.perdure.server.http.Place;
import dev.perdure.server.http.Query;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Site;
import dev.perdure.server.http.Status;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands Jetty's requests over, no more at once than allowed. */
final class Bridge extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
  private static final int LONGEST_URI = 8 * 1024;

  /** Always answered: whoever asks would take a server that is busy for one that is dead. */
  private static final Set<String> SIGNS_OF_LIFE = Set.of("/health", "/ready");

  private final dev.perdure.server.http.Handler handler;
  private final HttpLimits limits;
  private final SlowRequests slow;
  private final Semaphore free;
  private final Semaphore freeBytes;

  Bridge(dev.perdure.server.http.Handler handler, HttpLimits limits, SlowRequests slow) {
    this.handler = handler;
    this.limits = limits;
    this.slow = slow;
    this.free = new Semaphore(limits.requests());
    // Not fair: a small body would wait behind a large one for which there is no room.
    this.freeBytes = new Semaphore(limits.allBodyBytes());
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    // An answer may be waited for longer than a connection may otherwise be silent.
    request.addIdleTimeoutListener(silence -> false);
    dev.perdure.server.http.Response answer = answer(request, connection);
    // Before the callback, after which the next request is read.
    Callback ended = Callback.from(() -> slow.answered(connection), callback);
    Answers.write(answer, request, response, tellingOfLoss(answer, ended));
    return true;
  }

  private dev.perdure.server.http.Response answer(Request request, Connection connection) {
    boolean signOfLife = SIGNS_OF_LIFE.contains(Request.getPathInContext(request));
    Semaphore places = signOfLife ? new Semaphore(1) : free;
    if (!places.tryAcquire()) {
      return Site.refusal(
          RefusedException.unavailable(
              "%d requests are under way, as many as are allowed".formatted(limits.requests())));
    }
    Place place = new Place(places, () -> PeekingEndPoint.hasHungUp(connection.getEndPoint()));
    try (WholeBody body =
        new WholeBody(request, limits, freeBytes, () -> slow.arrived(connection))) {
      return unlessDeserted(
          handler.handle(translated(request, connection, body).withPlace(place)), place);
    } catch (RefusedException e) {
      return Site.refusal(e);
    } finally {
      place.leave();
    }
  }

  /** What is sent to a client that has gone is seldom seen to fail: the network takes it. */
  private static dev.perdure.server.http.Response unlessDeserted(
      dev.perdure.server.http.Response answer, Place place) {
    Runnable lost = answer.lost();
    if (lost == null || !place.isDeserted()) {
      return answer;
    }
    run(lost);
    return Site.refusal(RefusedException.unavailable("the client has hung up"));
  }

  private static Callback tellingOfLoss(dev.perdure.server.http.Response answer, Callback ended) {
    Runnable lost = answer.lost();
    return lost == null
        ? ended
        : Callback.from(
            ended::succeeded,
            failure -> {
              ended.failed(failure);
              Thread.ofVirtual().name("lost-answer").start(() -> run(lost));
            });
  }

  private static void run(Runnable lost) {
    try {
      lost.run();
    } catch (RuntimeException e) {
      LOG.warn("an answer did not reach its client, and what it gave is not taken back", e);
    }
  }

  private dev.perdure.server.http.Request translated(
      Request request, Connection connection, WholeBody body) {
    String uri = request.getHttpURI().getPathQuery();
    if (uri.length() > LONGEST_URI) {
      throw RefusedException.of(
          Status.URI_TOO_LONG,
          "the address has %d characters, at most %d are allowed"
              .formatted(uri.length(), LONGEST_URI));
    }
    Headers headers =
        Headers.from(
            each ->
                request
                    .getHeaders()
                    .forEach(field -> each.accept(field.getName(), field.getValue())));
    dev.perdure.server.http.Request translated =
        dev.perdure.server.http.Request.of(
            request.getMethod(),
            Request.getPathInContext(request),
            Query.parse(request.getHttpURI().getQuery()),
            headers,
            body);
    if (!translated.hasBody()) {
      slow.arrived(connection);
    }
    return translated;
  }
}
