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

/** Answers what Jetty refuses before any handler sees it: requests that are not HTTP. */
final class Unreadable implements Request.Handler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status =
        request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException refused
            ? refused.getCode()
            : response.getStatus();
    Answers.write(
        Site.refusal(RefusedException.of(status, detail(status))), request, response, callback);
    return true;
  }

  private static String detail(int status) {
    return switch (status) {
      case Status.REQUEST_TIMEOUT -> "the request took too long to arrive";
      case Status.URI_TOO_LONG -> "the address is too long";
      case Status.HEADERS_TOO_LARGE -> "the headers are larger than allowed";
      case Status.UNAVAILABLE -> "the server is stopping";
      default -> "the request cannot be understood as HTTP/1.1";
    };
  }
}
