// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.TypicalFailure;
import dev.perdure.policy.json.FailureJson;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.server.http.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The object in a request's body. A wrong field is noted and read as if it were missing, so that
 * one answer tells everything that is wrong; {@link #requireValid} then ends it.
 */
final class BodyReader {

  private final FieldErrors errors = new FieldErrors();
  private final JsonObjectReader fields;

  private BodyReader(Request request) {
    JsonObjectReader read = new JsonValueReader("", request.json(), errors).object();
    errors.throwIfAny();
    fields = Objects.requireNonNull(read);
  }

  static BodyReader of(Request request) {
    return new BodyReader(request);
  }

  /** Goes on only when everything was right and nothing was left over. */
  void requireValid() {
    fields.rejectUnknown();
    errors.throwIfAny();
  }

  /** Notes what a check finds wrong with fields that looked right. */
  void alsoCheck(Runnable check) {
    List<String> told = errors.list().stream().map(FieldError::path).toList();
    try {
      check.run();
    } catch (InvalidPolicyException e) {
      e.errors().stream()
          .filter(fieldError -> told.stream().noneMatch(path -> isWithin(path, fieldError.path())))
          .forEach(errors::add);
    }
  }

  /** True for the field itself and for all that it holds. */
  private static boolean isWithin(String path, String field) {
    return path.equals(field) || path.startsWith(field + "[") || path.startsWith(field + ".");
  }

  RetryPolicy policy() {
    JsonValueReader value = fields.required("policy");
    RetryPolicy policy =
        value == null ? null : errors.collect("policy", () -> PolicyJson.read(value.json()));
    return policy == null ? RetryPolicy.none() : policy;
  }

  /** The failures; without any, one that the policy retries. */
  List<Failure> failures(RetryPolicy policy, int most) {
    JsonValueReader value = fields.nonNull("failures");
    List<JsonValueReader> items = value == null ? null : value.array(most);
    List<Failure> failures = new ArrayList<>();
    for (JsonValueReader item : items == null ? List.<JsonValueReader>of() : items) {
      Failure failure = errors.collect(item.path(), () -> FailureJson.read(item.json()));
      if (failure != null) {
        failures.add(failure);
      }
    }
    return failures.isEmpty() ? List.of(TypicalFailure.of(policy)) : failures;
  }

  int integer(String name, int otherwise, int least, int most) {
    JsonValueReader value = fields.nonNull(name);
    Long number = value == null ? null : value.integer(least, most);
    return number == null ? otherwise : number.intValue();
  }

  long integer(String name, long otherwise) {
    JsonValueReader value = fields.nonNull(name);
    Long number = value == null ? null : value.integer(Long.MIN_VALUE, Long.MAX_VALUE);
    return number == null ? otherwise : number;
  }

  double number(String name, double otherwise, double least) {
    JsonValueReader value = fields.nonNull(name);
    Double number = value == null ? null : value.number(least);
    return number == null ? otherwise : number;
  }

  boolean bool(String name, boolean otherwise) {
    JsonValueReader value = fields.nonNull(name);
    Boolean truth = value == null ? null : value.bool();
    return truth == null ? otherwise : truth;
  }

  Duration duration(String name, Duration otherwise) {
    JsonValueReader value = fields.nonNull(name);
    Duration length = value == null ? null : value.duration();
    return length == null ? otherwise : length;
  }

  /** The same, which may be nothing: that, too, is meant when it is not said. */
  Duration durationOrZero(String name) {
    JsonValueReader value = fields.nonNull(name);
    Duration length = value == null || isZeroDuration(value) ? null : value.duration();
    return length == null ? Duration.ZERO : length;
  }

  private static boolean isZeroDuration(JsonValueReader value) {
    try {
      return value.json().isString() && DurationText.parse(value.json().stringValue()).isZero();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The field, when it is there and not null. */
  @Nullable JsonValueReader given(String name) {
    return fields.nonNull(name);
  }

  /** The field, whose absence is a problem. */
  @Nullable JsonValueReader required(String name) {
    return fields.required(name);
  }

  long integer(String name, long otherwise, long least) {
    JsonValueReader value = fields.nonNull(name);
    Long number = value == null ? null : value.integer(least, Long.MAX_VALUE);
    return number == null ? otherwise : number;
  }

  /** What the engine makes of it; it checks too, and its message begins with the field's name. */
  <T> T buildOrReport(Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      RejectedArgument rejected = RejectedArgument.of(e);
      errors.add(rejected.field(), rejected.message());
      errors.throwIfAny();
      throw e;
    }
  }

  /** Null when it is not said. */
  @Nullable Duration duration(String name) {
    JsonValueReader value = fields.nonNull(name);
    return value == null ? null : value.duration();
  }

  /** Texts in an array; a missing one is empty. */
  List<String> texts(String name, int most) {
    JsonValueReader value = fields.nonNull(name);
    List<JsonValueReader> items = value == null ? null : value.array(most);
    return items == null
        ? List.of()
        : items.stream().map(JsonValueReader::text).filter(Objects::nonNull).toList();
  }

  @Nullable String text(String name) {
    JsonValueReader value = fields.nonNull(name);
    return value == null ? null : value.text();
  }
}
