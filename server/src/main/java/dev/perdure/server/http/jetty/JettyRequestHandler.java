// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpLimits;
import dev.perdure.server.http.HttpPipeline;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.QueryParameters;
import dev.perdure.server.http.RequestPermit;
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
final class JettyRequestHandler extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(JettyRequestHandler.class);
  private static final int MAX_URI_LENGTH = 8 * 1024;

  /** Always answered: whoever asks would take a server that is busy for one that is dead. */
  private static final Set<String> HEALTH_PATHS = Set.of("/health", "/ready");

  private final dev.perdure.server.http.RequestHandler requestHandler;
  private final HttpLimits limits;
  private final RequestReadTimeouts readTimeouts;
  private final Semaphore requestPermits;
  private final Semaphore bodyBytePermits;

  JettyRequestHandler(
      dev.perdure.server.http.RequestHandler requestHandler,
      HttpLimits limits,
      RequestReadTimeouts slow) {
    this.requestHandler = requestHandler;
    this.limits = limits;
    this.readTimeouts = slow;
    this.requestPermits = new Semaphore(limits.maxConcurrentRequests());
    // Not fair: a small body would wait behind a large one for which there is no room.
    this.bodyBytePermits = new Semaphore(limits.maxTotalBodyBytes());
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    // An answer may be waited for longer than a connection may otherwise be silent.
    request.addIdleTimeoutListener(silence -> false);
    dev.perdure.server.http.Response answer = respond(request, connection);
    // Before the callback, after which the next request is read.
    Callback ended = Callback.from(() -> readTimeouts.answered(connection), callback);
    JettyResponseWriter.write(answer, request, response, runningClientGoneAction(answer, ended));
    return true;
  }

  private dev.perdure.server.http.Response respond(Request request, Connection connection) {
    boolean signOfLife = HEALTH_PATHS.contains(Request.getPathInContext(request));
    Semaphore places = signOfLife ? new Semaphore(1) : requestPermits;
    if (!places.tryAcquire()) {
      return HttpPipeline.problemResponse(
          HttpProblemException.unavailable(
              "%d requests are under way, as many as are allowed"
                  .formatted(limits.maxConcurrentRequests())));
    }
    RequestPermit requestPermit =
        new RequestPermit(places, () -> PeekingEndPoint.isClientGone(connection.getEndPoint()));
    try (BoundedRequestBody body =
        new BoundedRequestBody(
            request, limits, bodyBytePermits, () -> readTimeouts.arrived(connection))) {
      return unlessClientGone(
          requestHandler.handle(toRequest(request, connection, body).withPermit(requestPermit)),
          requestPermit);
    } catch (HttpProblemException e) {
      return HttpPipeline.problemResponse(e);
    } finally {
      requestPermit.release();
    }
  }

  /** What is sent to a client that has gone is seldom seen to fail: the network takes it. */
  private static dev.perdure.server.http.Response unlessClientGone(
      dev.perdure.server.http.Response answer, RequestPermit requestPermit) {
    Runnable lost = answer.clientGoneAction();
    if (lost == null || !requestPermit.isClientGone()) {
      return answer;
    }
    runClientGoneAction(lost);
    return HttpPipeline.problemResponse(HttpProblemException.unavailable("the client has hung up"));
  }

  private static Callback runningClientGoneAction(
      dev.perdure.server.http.Response answer, Callback ended) {
    Runnable lost = answer.clientGoneAction();
    return lost == null
        ? ended
        : Callback.from(
            ended::succeeded,
            failure -> {
              ended.failed(failure);
              Thread.ofVirtual().name("lost-answer").start(() -> runClientGoneAction(lost));
            });
  }

  private static void runClientGoneAction(Runnable lost) {
    try {
      lost.run();
    } catch (RuntimeException e) {
      LOG.warn("an answer did not reach its client, and what it gave is not taken back", e);
    }
  }

  private dev.perdure.server.http.Request toRequest(
      Request request, Connection connection, BoundedRequestBody body) {
    String uri = request.getHttpURI().getPathQuery();
    if (uri.length() > MAX_URI_LENGTH) {
      throw HttpProblemException.of(
          HttpStatus.URI_TOO_LONG,
          "the address has %d characters, at most %d are allowed"
              .formatted(uri.length(), MAX_URI_LENGTH));
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
            QueryParameters.parse(request.getHttpURI().getQuery()),
            headers,
            body);
    if (!translated.hasBody()) {
      readTimeouts.arrived(connection);
    }
    return translated;
  }
}
