// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FieldErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads failures: {@code {"kind": "http", "status": 503, "code": …, "exception_types": […],
 * "retry_after_ms": …, "asked_delay_ms": …, "permanent": …, "message": …}}; only {@code kind} is
 * required.
 */
public final class FailureJson {

  private static final List<String> KINDS =
      Stream.of(FailureKind.values()).map(FailureKind::text).toList();
  private static final int MIN_STATUS = 100;
  private static final int MAX_STATUS = 999;
  private static final int MAX_EXCEPTION_TYPES = 200;

  private FailureJson() {}

  /** The failure of this JSON object; throws {@code InvalidPolicyException} with all problems. */
  public static Failure read(JsonNode json) {
    FieldErrors fieldErrors = new FieldErrors();
    Failure failure = read(new JsonValueReader("", json, fieldErrors));
    fieldErrors.throwIfAny();
    return failure;
  }

  /** The failure of this text. */
  public static Failure read(String text) {
    FieldErrors fieldErrors = new FieldErrors();
    Failure failure =
        read(new JsonValueReader("", StrictJsonParser.parse(text, fieldErrors), fieldErrors));
    fieldErrors.throwIfAny();
    return failure;
  }

  /** The failure as far as it can be read; what cannot be is among the problems. */
  static Failure read(JsonValueReader jsonValueReader) {
    JsonObjectReader jsonObjectReader = jsonValueReader.object();
    if (jsonObjectReader == null) {
      return Failure.of(FailureKind.EXPLICIT);
    }
    JsonValueReader kind = jsonObjectReader.required("kind");
    String word = kind == null ? null : kind.oneOf("kind", KINDS);
    Failure failure =
        Failure.of(FailureKind.of(word == null ? "" : word).orElse(FailureKind.EXPLICIT))
            .withStatus(status(jsonObjectReader.nonNull("status")))
            .withCode(text(jsonObjectReader.nonNull("code")))
            .withExceptionTypes(exceptionTypes(jsonObjectReader.nonNull("exception_types")))
            .withRetryAfter(millis(jsonObjectReader.nonNull("retry_after_ms")))
            .withRequestedDelay(millis(jsonObjectReader.nonNull("asked_delay_ms")))
            .withPermanent(permanent(jsonObjectReader.nonNull("permanent")))
            .withMessage(text(jsonObjectReader.nonNull("message")));
    jsonObjectReader.rejectUnknown();
    return failure;
  }

  private static int status(@Nullable JsonValueReader jsonValueReader) {
    Long status = jsonValueReader == null ? null : jsonValueReader.integer(MIN_STATUS, MAX_STATUS);
    return status == null ? Failure.NO_STATUS : status.intValue();
  }

  private static @Nullable String text(@Nullable JsonValueReader jsonValueReader) {
    return jsonValueReader == null ? null : jsonValueReader.text();
  }

  private static boolean permanent(@Nullable JsonValueReader jsonValueReader) {
    return jsonValueReader != null && Boolean.TRUE.equals(jsonValueReader.bool());
  }

  static @Nullable Duration millis(@Nullable JsonValueReader jsonValueReader) {
    Long millis = jsonValueReader == null ? null : jsonValueReader.integer(0, Long.MAX_VALUE);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  private static List<String> exceptionTypes(@Nullable JsonValueReader jsonValueReader) {
    List<JsonValueReader> items =
        jsonValueReader == null ? null : jsonValueReader.array(MAX_EXCEPTION_TYPES);
    List<String> types = new ArrayList<>();
    for (JsonValueReader item : items == null ? List.<JsonValueReader>of() : items) {
      String type = item.text();
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }
}
