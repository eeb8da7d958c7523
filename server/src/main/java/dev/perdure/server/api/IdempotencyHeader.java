// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.SubmissionKey;
import dev.perdure.policy.FieldError;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the header that makes a submission repeatable. */
final class IdempotencyHeader {

  static final String NAME = "Idempotency-Key";

  /** On the answer to a repetition. */
  static final String REPLAYED_NAME = "Idempotency-Replayed";

  private static final Pattern PRINTABLE =
      Pattern.compile("[ -~]{1," + SubmissionKey.MAX_CHARACTERS + "}");

  private IdempotencyHeader() {}

  /**
   * The key, which is the caller's own; null when there is none. Bodies are compared as they were
   * read: spaces between the parts make no difference.
   */
  static @Nullable SubmissionKey read(Request request, JsonNode body) {
    List<String> given = request.headers().all(NAME);
    if (given.isEmpty()) {
      return null;
    }
    if (given.size() > 1 || !PRINTABLE.matcher(given.getFirst()).matches()) {
      throw HttpProblemException.invalid(
          List.of(
              new FieldError(
                  NAME,
                  "must come once and have 1 to %d printable ASCII characters"
                      .formatted(SubmissionKey.MAX_CHARACTERS))));
    }
    String scope = Objects.requireNonNullElse(request.caller().keyId(), "");
    return new SubmissionKey(scope, given.getFirst(), body.toString());
  }
}
