// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.Outcome;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.NameSuggestion;
import dev.perdure.policy.json.JsonValueReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the outcome of an attempt from the body of a PATCH. */
final class OutcomeReader {

  private static final String SUCCESS = "Success";
  private static final String FAILURE = "Failure";
  private static final List<String> STATUSES = List.of(SUCCESS, FAILURE);
  private static final List<String> SUCCESS_FIELDS = List.of("result");
  private static final List<String> FAILURE_FIELDS =
      List.of(
          "failure_reason",
          "failure_code",
          "failure_status",
          "exception_types",
          "stack",
          "retryable",
          "retry_after");
  private static final int MAX_CODE_LENGTH = 255;
  private static final int MAX_EXCEPTION_TYPES = 50;
  private static final int MAX_EXCEPTION_TYPE_LENGTH = 500;
  private static final int MIN_STATUS = 100;
  private static final int MAX_STATUS = 599;

  private final BodyReader body;

  private OutcomeReader(BodyReader reader) {
    this.body = reader;
  }

  /** Null when the body has no status, so the attempt goes on. */
  static @Nullable Outcome read(BodyReader reader) {
    return new OutcomeReader(reader).read();
  }

  private @Nullable Outcome read() {
    JsonValueReader given = body.optional("status");
    String status = given == null ? null : status(given);
    JsonValueReader result = body.optional("result");
    Outcome failed = readFailure();
    if (given == null || status != null) {
      rejectUnless(SUCCESS.equals(status), SUCCESS_FIELDS, SUCCESS);
      rejectUnless(FAILURE.equals(status), FAILURE_FIELDS, FAILURE);
    }
    if (SUCCESS.equals(status)) {
      return new Outcome.Succeeded(result == null ? null : result.json().toString());
    }
    return FAILURE.equals(status) ? failed : null;
  }

  /** Upper and lower case are equal, as in all status names of the API. */
  private static @Nullable String status(JsonValueReader value) {
    String text = value.text();
    String known =
        STATUSES.stream().filter(word -> word.equalsIgnoreCase(text)).findFirst().orElse(null);
    if (text != null && known == null) {
      value.addError(
          "must be %s, not '%s'%s"
              .formatted(
                  String.join(" or ", STATUSES),
                  FieldError.sanitize(text),
                  NameSuggestion.hint(text, STATUSES)));
    }
    return known;
  }

  private void rejectUnless(boolean allowed, List<String> names, String status) {
    Consumer<JsonValueReader> reject =
        value ->
            value.addError("is only allowed with the status %s: leave it out".formatted(status));
    if (!allowed) {
      names.stream().map(body::optional).filter(Objects::nonNull).forEach(reject);
    }
  }

  private Outcome readFailure() {
    Failure failure =
        Failure.of(FailureKind.EXPLICIT)
            .withMessage(body.text("failure_reason"))
            .withCode(text(body.optional("failure_code"), MAX_CODE_LENGTH))
            .withStatus(body.integer("failure_status", Failure.NO_STATUS, MIN_STATUS, MAX_STATUS))
            .withExceptionTypes(exceptionTypes())
            .withPermanent(!body.bool("retryable", true))
            .withRequestedDelay(delay());
    return new Outcome.Failed(failure, body.text("stack"));
  }

  private @Nullable Duration delay() {
    JsonValueReader value = body.optional("retry_after");
    return value == null ? null : value.duration();
  }

  private List<String> exceptionTypes() {
    JsonValueReader value = body.optional("exception_types");
    List<JsonValueReader> items = value == null ? null : value.array(MAX_EXCEPTION_TYPES);
    List<String> types = new ArrayList<>();
    for (JsonValueReader item : items == null ? List.<JsonValueReader>of() : items) {
      String type = text(item, MAX_EXCEPTION_TYPE_LENGTH);
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }

  private static @Nullable String text(@Nullable JsonValueReader value, int max) {
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return null;
    }
    if (text.isBlank() || text.length() > max || text.indexOf('\0') >= 0) {
      value.addError("must have 1 to %d characters, none of them NUL".formatted(max));
      return null;
    }
    return text;
  }
}
