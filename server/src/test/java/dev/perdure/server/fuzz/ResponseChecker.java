// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Says what is wrong with an answer. */
final class ResponseChecker {

  private static final Pattern STACK =
      Pattern.compile("\\bat (dev|java|jdk|org|tools)\\.|\\w\\.java:\\d|Caused by|SQLITE_|PSQLEx");
  private static final int REFUSED = 400;
  private static final int FAULT = 500;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int UNAVAILABLE = 503;
  private static final int VERSION_NOT_SUPPORTED = 505;

  private final String secret;

  /**
   * @param secret what stands in a task that nobody asked for
   */
  ResponseChecker(String secret) {
    this.secret = secret;
  }

  /**
   * Empty when there is nothing to say.
   *
   * @param response null when the server hung up
   * @param ofOne true when the request was for one thing by its id, or for nothing that it could be
   *     in
   */
  Optional<String> violation(RawRequest request, RawResponse response, boolean ofOne) {
    if (response == null) {
      return request.isHttp() ? Optional.of("no answer") : Optional.empty();
    }
    if (response.status() >= FAULT && !isAllowed(request, response)) {
      return Optional.of("status " + response.status());
    }
    if (response.status() >= REFUSED && !request.method().equals("HEAD")) {
      return refusal(response);
    }
    return ofOne && response.body().contains(secret)
        ? Optional.of("tells of another task")
        : Optional.empty();
  }

  /** What is no HTTP of ours, too many streams of events, and a machine that pauses. */
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

  private Optional<String> refusal(RawResponse response) {
    if (!response.header("Content-Type").equals("application/problem+json")) {
      return Optional.of("a refusal that is " + response.header("Content-Type"));
    }
    if (STACK.matcher(response.body()).find()) {
      return Optional.of("tells of its insides");
    }
    if (response.body().contains(secret)) {
      return Optional.of("tells of another task");
    }
    try {
      JsonNode json = response.json();
      boolean whole =
          json.path("status").asInt(0) == response.status()
              && !json.path("detail").asString("").isEmpty()
              && !json.path("title").asString("").isEmpty();
      return whole ? Optional.empty() : Optional.of("an incomplete problem document");
    } catch (JacksonException e) {
      return Optional.of("a problem document that is no JSON");
    }
  }
}
