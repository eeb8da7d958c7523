// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import dev.perdure.server.http.Wire.Answer;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Says what is wrong with an answer. */
final class Judge {

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
  Judge(String secret) {
    this.secret = secret;
  }

  /**
   * Empty when there is nothing to say.
   *
   * @param answer null when the server hung up
   * @param ofOne true when the request was for one thing by its id, or for nothing that it could be
   *     in
   */
  Optional<String> complaint(RawRequest request, Answer answer, boolean ofOne) {
    if (answer == null) {
      return request.isHttp() ? Optional.of("no answer") : Optional.empty();
    }
    if (answer.status() >= FAULT && !isAllowed(request, answer)) {
      return Optional.of("status " + answer.status());
    }
    if (answer.status() >= REFUSED && !request.method().equals("HEAD")) {
      return refusal(answer);
    }
    return ofOne && answer.body().contains(secret)
        ? Optional.of("tells of another task")
        : Optional.empty();
  }

  /** What is no HTTP of ours, too many streams of events, and a machine that pauses. */
  private static boolean isAllowed(RawRequest request, Answer answer) {
    return switch (answer.status()) {
      case NOT_IMPLEMENTED, VERSION_NOT_SUPPORTED -> !request.isHttp();
      case UNAVAILABLE ->
          request.path().startsWith("/ready")
              || (request.path().startsWith("/events") && !answer.header("Retry-After").isEmpty());
      default -> false;
    };
  }

  private Optional<String> refusal(Answer answer) {
    if (!answer.header("Content-Type").equals("application/problem+json")) {
      return Optional.of("a refusal that is " + answer.header("Content-Type"));
    }
    if (STACK.matcher(answer.body()).find()) {
      return Optional.of("tells of its insides");
    }
    if (answer.body().contains(secret)) {
      return Optional.of("tells of another task");
    }
    try {
      JsonNode json = answer.json();
      boolean whole =
          json.path("status").asInt(0) == answer.status()
              && !json.path("detail").asString("").isEmpty()
              && !json.path("title").asString("").isEmpty();
      return whole ? Optional.empty() : Optional.of("an incomplete problem document");
    } catch (JacksonException e) {
      return Optional.of("a problem document that is no JSON");
    }
  }
}
