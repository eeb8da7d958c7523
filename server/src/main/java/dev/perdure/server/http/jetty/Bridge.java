// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.Headers;
import dev.perdure.server.http.HttpLimits;
import dev.perdure.server.http.Place;
import dev.perdure.server.http.Query;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Site;
import dev.perdure.server.http.Status;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Hands Jetty's requests over, no more at once than allowed. */
final class Bridge extends Handler.Abstract {

  private static final int LONGEST_URI = 8 * 1024;

  private final dev.perdure.server.http.Handler handler;
  private final HttpLimits limits;
  private final SlowRequests slow;
  private final Semaphore free;

  Bridge(dev.perdure.server.http.Handler handler, HttpLimits limits, SlowRequests slow) {
    this.handler = handler;
    this.limits = limits;
    this.slow = slow;
    this.free = new Semaphore(limits.requests());
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    // An answer may be waited for longer than a connection may otherwise be silent.
    request.addIdleTimeoutListener(silence -> false);
    Callback ended = Callback.from(callback, () -> slow.answered(connection));
    Answers.write(answer(request, connection), request, response, ended);
    return true;
  }

  private dev.perdure.server.http.Response answer(Request request, Connection connection) {
    if (!free.tryAcquire()) {
      return Site.refusal(
          RefusedException.unavailable(
              "%d requests are under way, as many as are allowed".formatted(limits.requests())));
    }
    try {
      return handler.handle(translated(request, connection).withPlace(new Place(free)));
    } catch (RefusedException e) {
      return Site.refusal(e);
    } finally {
      free.release();
    }
  }

  private dev.perdure.server.http.Request translated(Request request, Connection connection) {
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
    WholeBody body = new WholeBody(request, limits.bodyBytes(), () -> slow.arrived(connection));
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
