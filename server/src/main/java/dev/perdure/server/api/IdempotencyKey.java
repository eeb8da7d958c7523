// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.SubmissionKey;
import dev.perdure.policy.Problem;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the header that makes a submission repeatable. */
final class IdempotencyKey {

  static final String HEADER = "Idempotency-Key";

  /** On the answer to a repetition. */
  static final String REPLAYED = "Idempotency-Replayed";

  private static final Pattern PRINTABLE =
      Pattern.compile("[ -~]{1," + SubmissionKey.MOST_CHARACTERS + "}");

  private IdempotencyKey() {}

  /**
   * The key, which is the caller's own; null when there is none. Bodies are compared as they were
   * read: spaces between the parts make no difference.
   */
  static @Nullable SubmissionKey of(Request request, JsonNode body) {
    List<String> given = request.headers().all(HEADER);
    if (given.isEmpty()) {
      return null;
    }
    if (given.size() > 1 || !PRINTABLE.matcher(given.getFirst()).matches()) {
      throw RefusedException.invalid(
          List.of(
              new Problem(
                  HEADER,
                  "must come once and have 1 to %d printable ASCII characters"
                      .formatted(SubmissionKey.MOST_CHARACTERS))));
    }
    String scope = Objects.requireNonNullElse(request.caller().key(), "");
    return new SubmissionKey(scope, given.getFirst(), body.toString());
  }
}
