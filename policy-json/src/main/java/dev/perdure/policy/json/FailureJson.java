// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.Problems;
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
  private static final int LOWEST_STATUS = 100;
  private static final int HIGHEST_STATUS = 999;
  private static final int MOST_EXCEPTION_TYPES = 200;

  private FailureJson() {}

  /** The failure of this JSON object; throws {@code InvalidPolicyException} with all problems. */
  public static Failure read(JsonNode json) {
    Problems problems = new Problems();
    Failure failure = read(new Value("", json, problems));
    problems.throwIfAny();
    return failure;
  }

  /** The failure of this text. */
  public static Failure read(String text) {
    Problems problems = new Problems();
    Failure failure = read(new Value("", JsonText.parse(text, problems), problems));
    problems.throwIfAny();
    return failure;
  }

  /** The failure as far as it can be read; what cannot be is among the problems. */
  static Failure read(Value value) {
    Fields fields = value.fields();
    if (fields == null) {
      return Failure.of(FailureKind.EXPLICIT);
    }
    Value kind = fields.required("kind");
    String word = kind == null ? null : kind.word("kind", KINDS);
    Failure failure =
        Failure.of(FailureKind.of(word == null ? "" : word).orElse(FailureKind.EXPLICIT))
            .withStatus(status(fields.given("status")))
            .withCode(text(fields.given("code")))
            .withExceptionTypes(exceptionTypes(fields.given("exception_types")))
            .withRetryAfter(millis(fields.given("retry_after_ms")))
            .withAskedDelay(millis(fields.given("asked_delay_ms")))
            .withPermanent(permanent(fields.given("permanent")))
            .withMessage(text(fields.given("message")));
    fields.refuseOthers();
    return failure;
  }

  private static int status(@Nullable Value value) {
    Long status = value == null ? null : value.whole(LOWEST_STATUS, HIGHEST_STATUS);
    return status == null ? Failure.NO_STATUS : status.intValue();
  }

  private static @Nullable String text(@Nullable Value value) {
    return value == null ? null : value.text();
  }

  private static boolean permanent(@Nullable Value value) {
    return value != null && Boolean.TRUE.equals(value.truth());
  }

  static @Nullable Duration millis(@Nullable Value value) {
    Long millis = value == null ? null : value.whole(0, Long.MAX_VALUE);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  private static List<String> exceptionTypes(@Nullable Value value) {
    List<Value> items = value == null ? null : value.items(MOST_EXCEPTION_TYPES);
    List<String> types = new ArrayList<>();
    for (Value item : items == null ? List.<Value>of() : items) {
      String type = item.text();
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }
}
