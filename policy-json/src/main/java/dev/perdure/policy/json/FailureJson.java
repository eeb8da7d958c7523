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
 * "retry_after_ms": …, "requested_delay_ms": …, "permanent": …, "message": …}}. Only {@code kind}
 * is required. A number is short for a failure with this HTTP status.
 */
public final class FailureJson {

  private static final List<String> KINDS =
      Stream.of(FailureKind.values()).map(FailureKind::text).toList();
  private static final int MIN_STATUS = 100;
  private static final int MAX_STATUS = 999;
  private static final int MAX_EXCEPTION_TYPES = 200;

  private FailureJson() {}

  /** Reads a failure from a JSON object; throws {@code InvalidPolicyException} with all errors. */
  public static Failure read(JsonNode json) {
    FieldErrors errors = new FieldErrors();
    Failure failure = read(new JsonValueReader("", json, errors));
    errors.throwIfAny();
    return failure;
  }

  /** Reads a failure from text; throws {@code InvalidPolicyException} with all errors. */
  public static Failure read(String text) {
    FieldErrors errors = new FieldErrors();
    Failure failure = read(new JsonValueReader("", StrictJsonParser.parse(text, errors), errors));
    errors.throwIfAny();
    return failure;
  }

  /** Reads a failure as far as possible; adds an error for everything that is wrong. */
  static Failure read(JsonValueReader value) {
    if (value.json().isNumber()) {
      return Failure.http(status(value));
    }
    JsonObjectReader object = value.object();
    if (object == null) {
      return Failure.of(FailureKind.EXPLICIT);
    }
    JsonValueReader kind = object.required("kind");
    String name = kind == null ? null : kind.oneOf("kind", KINDS);
    Failure failure =
        Failure.of(FailureKind.of(name == null ? "" : name).orElse(FailureKind.EXPLICIT))
            .withStatus(status(object.nonNull("status")))
            .withCode(text(object.nonNull("code")))
            .withExceptionTypes(exceptionTypes(object.nonNull("exception_types")))
            .withRetryAfter(millis(object.nonNull("retry_after_ms")))
            .withRequestedDelay(millis(object.nonNull("requested_delay_ms")))
            .withPermanent(permanent(object.nonNull("permanent")))
            .withMessage(text(object.nonNull("message")));
    object.rejectUnknown();
    return failure;
  }

  private static int status(@Nullable JsonValueReader value) {
    Long status = value == null ? null : value.integer(MIN_STATUS, MAX_STATUS);
    return status == null ? Failure.NO_STATUS : status.intValue();
  }

  private static @Nullable String text(@Nullable JsonValueReader value) {
    return value == null ? null : value.text();
  }

  private static boolean permanent(@Nullable JsonValueReader value) {
    return value != null && Boolean.TRUE.equals(value.bool());
  }

  static @Nullable Duration millis(@Nullable JsonValueReader value) {
    Long millis = value == null ? null : value.integer(0, Long.MAX_VALUE);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  private static List<String> exceptionTypes(@Nullable JsonValueReader value) {
    List<JsonValueReader> items = value == null ? null : value.array(MAX_EXCEPTION_TYPES);
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
