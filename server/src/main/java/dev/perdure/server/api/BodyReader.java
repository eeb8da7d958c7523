// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.RepresentativeFailure;
import dev.perdure.policy.json.FailureJson;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.policy.json.WrittenPolicy;
import dev.perdure.server.http.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON object in a request's body. A wrong field is noted and read as if it were missing,
 * so that one response reports every problem; {@link #requireValid} throws them.
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

  /** Throws InvalidPolicyException when a field was wrong or unknown. */
  void requireValid() {
    fields.rejectUnknown();
    errors.throwIfAny();
  }

  /** Runs a further check and notes its errors, except for fields that already have one. */
  void alsoCheck(Runnable check) {
    List<String> reported = errors.list().stream().map(FieldError::path).toList();
    try {
      check.run();
    } catch (InvalidPolicyException e) {
      e.errors().stream()
          .filter(
              fieldError -> reported.stream().noneMatch(path -> isWithin(path, fieldError.path())))
          .forEach(errors::add);
    }
  }

  /** True for the field itself and for everything inside it. */
  private static boolean isWithin(String path, String field) {
    return path.equals(field) || path.startsWith(field + "[") || path.startsWith(field + ".");
  }

  WrittenPolicy policy() {
    JsonValueReader value = fields.required("policy");
    WrittenPolicy policy =
        value == null ? null : errors.collect("policy", () -> WrittenPolicy.read(value.json()));
    return policy == null ? WrittenPolicy.NONE : policy;
  }

  /** The failures in the body; if it has none, one that the policy retries. */
  List<Failure> failures(RetryPolicy policy, int max) {
    JsonValueReader value = fields.nonNull("failures");
    List<JsonValueReader> items = value == null ? null : value.array(max);
    List<Failure> failures = new ArrayList<>();
    for (JsonValueReader item : items == null ? List.<JsonValueReader>of() : items) {
      Failure failure = errors.collect(item.path(), () -> FailureJson.read(item.json()));
      if (failure != null) {
        failures.add(failure);
      }
    }
    return failures.isEmpty() ? List.of(RepresentativeFailure.of(policy)) : failures;
  }

  int integer(String name, int defaultValue, int min, int max) {
    JsonValueReader value = fields.nonNull(name);
    Long number = value == null ? null : value.integer(min, max);
    return number == null ? defaultValue : number.intValue();
  }

  long integer(String name, long defaultValue) {
    JsonValueReader value = fields.nonNull(name);
    Long number = value == null ? null : value.integer(Long.MIN_VALUE, Long.MAX_VALUE);
    return number == null ? defaultValue : number;
  }

  double number(String name, double defaultValue, double min) {
    JsonValueReader value = fields.nonNull(name);
    Double number = value == null ? null : value.number(min);
    return number == null ? defaultValue : number;
  }

  boolean bool(String name, boolean defaultValue) {
    JsonValueReader value = fields.nonNull(name);
    Boolean bool = value == null ? null : value.bool();
    return bool == null ? defaultValue : bool;
  }

  Duration duration(String name, Duration defaultValue) {
    JsonValueReader value = fields.nonNull(name);
    Duration duration = value == null ? null : value.duration();
    return duration == null ? defaultValue : duration;
  }

  /** A duration within these bounds. */
  Duration duration(String name, Duration defaultValue, Duration min, Duration max) {
    JsonValueReader value = fields.nonNull(name);
    if (value != null && min.isZero() && isZeroDuration(value)) {
      return Duration.ZERO;
    }
    Duration duration = value == null ? null : value.duration();
    if (value == null || duration == null) {
      return defaultValue;
    }
    if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
      value.addError(
          "must be %s to %s, not %s"
              .formatted(
                  DurationText.format(min),
                  DurationText.format(max),
                  DurationText.format(duration)));
    }
    return duration;
  }

  private static boolean isZeroDuration(JsonValueReader value) {
    try {
      return value.json().isString() && DurationText.parse(value.json().stringValue()).isZero();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The field, or null when it is absent or null. */
  @Nullable JsonValueReader optional(String name) {
    return fields.nonNull(name);
  }

  /** The field, which may be a JSON null; null when it is absent. */
  @Nullable JsonValueReader optionalOrNull(String name) {
    return fields.optional(name);
  }

  /** The field; its absence is noted as an error. */
  @Nullable JsonValueReader required(String name) {
    return fields.required(name);
  }

  long integer(String name, long defaultValue, long min) {
    JsonValueReader value = fields.nonNull(name);
    Long number = value == null ? null : value.integer(min, Long.MAX_VALUE);
    return number == null ? defaultValue : number;
  }

  /** Builds an engine type. The engine's own checks become field errors. */
  <T> T buildOrReport(Supplier<T> builder) {
    try {
      return builder.get();
    } catch (IllegalArgumentException e) {
      RejectedArgument rejected = RejectedArgument.of(e);
      errors.add(rejected.field(), rejected.message());
      errors.throwIfAny();
      throw e;
    }
  }

  /** Null when the field is absent. */
  @Nullable Duration duration(String name) {
    JsonValueReader value = fields.nonNull(name);
    return value == null ? null : value.duration();
  }

  /** An array of strings; empty when the field is absent. */
  List<String> texts(String name, int max) {
    JsonValueReader value = fields.nonNull(name);
    List<JsonValueReader> items = value == null ? null : value.array(max);
    return items == null
        ? List.of()
        : items.stream().map(JsonValueReader::text).filter(Objects::nonNull).toList();
  }

  @Nullable String text(String name) {
    JsonValueReader value = fields.nonNull(name);
    return value == null ? null : value.text();
  }
}
