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

/** Passes Jetty's requests to the handler, up to the limit of concurrent requests. */
final class JettyRequestHandler extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(JettyRequestHandler.class);
  private static final int MAX_URI_LENGTH = 8 * 1024;

  /** Exempt from the limit, or a health check would take a busy server for a dead one. */
  private static final Set<String> HEALTH_PATHS = Set.of("/health", "/ready");

  private final dev.perdure.server.http.RequestHandler requestHandler;
  private final HttpLimits limits;
  private final RequestReadTimeouts readTimeouts;
  private final Semaphore requestPermits;
  private final Semaphore bodyBytePermits;

  JettyRequestHandler(
      dev.perdure.server.http.RequestHandler requestHandler,
      HttpLimits limits,
      RequestReadTimeouts readTimeouts) {
    this.requestHandler = requestHandler;
    this.limits = limits;
    this.readTimeouts = readTimeouts;
    this.requestPermits = new Semaphore(limits.maxConcurrentRequests());
    // Not fair: a small body would wait behind a large one that does not fit.
    this.bodyBytePermits = new Semaphore(limits.maxTotalBodyBytes());
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    // A response may take longer than a connection may be idle.
    request.addIdleTimeoutListener(timeout -> false);
    dev.perdure.server.http.Response result = respond(request, connection);
    // Before the callback: after it Jetty reads the next request.
    Callback ended = Callback.from(() -> readTimeouts.answered(connection), callback);
    JettyResponseWriter.write(result, request, response, runningClientGoneAction(result, ended));
    return true;
  }

  private dev.perdure.server.http.Response respond(Request request, Connection connection) {
    boolean healthCheck = HEALTH_PATHS.contains(Request.getPathInContext(request));
    Semaphore permits = healthCheck ? new Semaphore(1) : requestPermits;
    if (!permits.tryAcquire()) {
      return HttpPipeline.problemResponse(
          HttpProblemException.unavailable(
              "the server is busy: %d requests are running, which is the maximum"
                  .formatted(limits.maxConcurrentRequests())));
    }
    RequestPermit requestPermit =
        new RequestPermit(permits, () -> PeekingEndPoint.isClientGone(connection.getEndPoint()));
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

  /** Checks before sending, because sending to a client that has gone often seems to succeed. */
  private static dev.perdure.server.http.Response unlessClientGone(
      dev.perdure.server.http.Response result, RequestPermit requestPermit) {
    Runnable action = result.clientGoneAction();
    if (action == null || !requestPermit.isClientGone()) {
      return result;
    }
    runClientGoneAction(action);
    return HttpPipeline.problemResponse(
        HttpProblemException.unavailable("the client has disconnected"));
  }

  private static Callback runningClientGoneAction(
      dev.perdure.server.http.Response result, Callback ended) {
    Runnable action = result.clientGoneAction();
    return action == null
        ? ended
        : Callback.from(
            ended::succeeded,
            failure -> {
              ended.failed(failure);
              Thread.ofVirtual().name("client-gone").start(() -> runClientGoneAction(action));
            });
  }

  private static void runClientGoneAction(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.warn("a response did not reach its client, and its effect could not be undone", e);
    }
  }

  private dev.perdure.server.http.Request toRequest(
      Request request, Connection connection, BoundedRequestBody body) {
    String uri = request.getHttpURI().getPathQuery();
    if (uri.length() > MAX_URI_LENGTH) {
      throw HttpProblemException.of(
          HttpStatus.URI_TOO_LONG,
          "the URL has %d characters, at most %d are allowed"
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
                body)
            .withClientAddress(Request.getRemoteAddr(request));
    if (!translated.hasBody()) {
      readTimeouts.arrived(connection);
    }
    return translated;
  }
}
