// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http.jetty;

import dev.perdure.server.http.HttpPipeline;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Responds to requests that Jetty refuses before any handler sees them, such as invalid HTTP. */
final class JettyErrorHandler implements Request.Handler {

  private static final Logger LOG = LoggerFactory.getLogger(JettyErrorHandler.class);

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
    int status = cause instanceof HttpException http ? http.getCode() : response.getStatus();
    if (status == HttpStatus.INTERNAL_SERVER_ERROR && cause instanceof Throwable error) {
      LOG.error("a request failed inside Jetty", error);
    }
    JettyResponseWriter.write(
        HttpPipeline.problemResponse(problem(status)), request, response, callback);
    return true;
  }

  private static HttpProblemException problem(int status) {
    return status == HttpStatus.SERVICE_UNAVAILABLE
        ? HttpProblemException.unavailable("the server is stopping")
        : HttpProblemException.of(status, detail(status));
  }

  private static String detail(int status) {
    return switch (status) {
      case HttpStatus.REQUEST_TIMEOUT -> "the request took too long to arrive";
      case HttpStatus.URI_TOO_LONG -> "the URL is too long";
      case HttpStatus.HEADERS_TOO_LARGE -> "the headers are larger than allowed";
      case HttpStatus.INTERNAL_SERVER_ERROR -> "internal error of perdure; its log has the details";
      default -> "the request is not valid HTTP/1.1";
    };
  }
}
