// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Site;
import dev.perdure.server.http.Status;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what Jetty refuses before any handler sees it: requests that are not HTTP. */
final class Unreadable implements Request.Handler {

  private static final Logger LOG = LoggerFactory.getLogger(Unreadable.class);

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
    int status = cause instanceof HttpException refused ? refused.getCode() : response.getStatus();
    if (status == Status.ERROR && cause instanceof Throwable fault) {
      LOG.error("a request cannot be handed over", fault);
    }
    Answers.write(Site.refusal(refusal(status)), request, response, callback);
    return true;
  }

  private static RefusedException refusal(int status) {
    return status == Status.UNAVAILABLE
        ? RefusedException.unavailable("the server is stopping")
        : RefusedException.of(status, detail(status));
  }

  private static String detail(int status) {
    return switch (status) {
      case Status.REQUEST_TIMEOUT -> "the request took too long to arrive";
      case Status.URI_TOO_LONG -> "the address is too long";
      case Status.HEADERS_TOO_LARGE -> "the headers are larger than allowed";
      case Status.ERROR -> "this is a fault of perdure; its log tells more";
      default -> "the request cannot be understood as HTTP/1.1";
    };
  }
}
