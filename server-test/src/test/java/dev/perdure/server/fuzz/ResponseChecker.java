// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Checks a response for violations. */
final class ResponseChecker {

  private static final Pattern STACK =
      Pattern.compile("\\bat (dev|java|jdk|org|tools)\\.|\\w\\.java:\\d|Caused by|SQLITE_|PSQLEx");
  private static final int BAD_REQUEST = 400;
  private static final int INTERNAL_ERROR = 500;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int UNAVAILABLE = 503;
  private static final int VERSION_NOT_SUPPORTED = 505;

  private final String secret;

  /**
   * @param secret a text that occurs only in a task that the requests do not ask for
   */
  ResponseChecker(String secret) {
    this.secret = secret;
  }

  /**
   * The violation; empty when the response is fine.
   *
   * @param response null when the server closed the connection
   * @param mustHideSecret true when the response must not contain the secret task
   */
  Optional<String> violation(RawRequest request, RawResponse response, boolean mustHideSecret) {
    if (response == null) {
      return request.isHttp() ? Optional.of("no response") : Optional.empty();
    }
    if (response.status() >= INTERNAL_ERROR && !isAllowed(request, response)) {
      return Optional.of("status " + response.status());
    }
    if (response.status() >= BAD_REQUEST && !request.method().equals("HEAD")) {
      return problemViolation(response);
    }
    return mustHideSecret && response.body().contains(secret)
        ? Optional.of("shows data of another task")
        : Optional.empty();
  }

  /** Allows unsupported HTTP, too many event streams, and a node that is not ready. */
  private static boolean isAllowed(RawRequest request, RawResponse response) {
    return switch (response.status()) {
      case NOT_IMPLEMENTED, VERSION_NOT_SUPPORTED -> !request.isHttp();
      case UNAVAILABLE ->
          request.path().startsWith("/ready")
              || (request.path().startsWith("/events")
                  && !response.header("Retry-After").isEmpty());
      default -> false;
    };
  }

  private Optional<String> problemViolation(RawResponse response) {
    if (!response.header("Content-Type").equals("application/problem+json")) {
      return Optional.of("an error with the content type " + response.header("Content-Type"));
    }
    if (STACK.matcher(response.body()).find()) {
      return Optional.of("shows a stack trace");
    }
    if (response.body().contains(secret)) {
      return Optional.of("shows data of another task");
    }
    try {
      JsonNode json = response.json();
      boolean complete =
          json.path("status").asInt(0) == response.status()
              && !json.path("detail").asString("").isEmpty()
              && !json.path("title").asString("").isEmpty();
      return complete ? Optional.empty() : Optional.of("an incomplete problem document");
    } catch (JacksonException e) {
      return Optional.of("a problem document that is not JSON");
    }
  }
}
