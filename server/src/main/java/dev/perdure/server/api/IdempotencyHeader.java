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

/** Reads the {@code Idempotency-Key} header, which makes a submission repeatable. */
final class IdempotencyHeader {

  static final String NAME = "Idempotency-Key";

  /** The header on the response to a repeated submission. */
  static final String REPLAYED_NAME = "Idempotency-Replayed";

  private static final Pattern PRINTABLE =
      Pattern.compile("[ -~]{1," + SubmissionKey.MAX_CHARACTERS + "}");

  private IdempotencyHeader() {}

  /**
   * The key, scoped to the caller's API key; null when there is no header. Bodies are compared
   * after parsing, so white space makes no difference.
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
                  "must be sent once, with 1 to %d printable ASCII characters"
                      .formatted(SubmissionKey.MAX_CHARACTERS))));
    }
    String scope = Objects.requireNonNullElse(request.caller().keyId(), "");
    return new SubmissionKey(scope, given.getFirst(), body.toString());
  }
}
