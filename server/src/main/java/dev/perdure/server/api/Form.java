// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.TypicalFailure;
import dev.perdure.policy.json.FailureJson;
import dev.perdure.policy.json.Fields;
import dev.perdure.policy.json.PolicyJson;
import dev.perdure.policy.json.Value;
import dev.perdure.server.http.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The object in a request's body. A wrong field is noted and read as if it were missing, so that
 * one answer tells everything that is wrong; {@link #requireRight} then ends it.
 */
final class Form {

  private final Problems problems = new Problems();
  private final Fields fields;

  private Form(Request request) {
    Fields read = new Value("", request.json(), problems).fields();
    problems.throwIfAny();
    fields = Objects.requireNonNull(read);
  }

  static Form of(Request request) {
    return new Form(request);
  }

  /** Goes on only when everything was right and nothing was left over. */
  void requireRight() {
    fields.refuseOthers();
    problems.throwIfAny();
  }

  /** Notes what a check finds wrong with fields that looked right. */
  void also(Runnable check) {
    List<String> told = problems.found().stream().map(Problem::path).toList();
    try {
      check.run();
    } catch (InvalidPolicyException e) {
      e.problems().stream()
          .filter(problem -> told.stream().noneMatch(path -> isWithin(path, problem.path())))
          .forEach(problems::add);
    }
  }

  /** True for the field itself and for all that it holds. */
  private static boolean isWithin(String path, String field) {
    return path.equals(field) || path.startsWith(field + "[") || path.startsWith(field + ".");
  }

  RetryPolicy policy() {
    Value value = fields.required("policy");
    RetryPolicy policy =
        value == null ? null : problems.collect("policy", () -> PolicyJson.read(value.json()));
    return policy == null ? RetryPolicy.none() : policy;
  }

  /** The failures; without any, one that the policy retries. */
  List<Failure> failures(RetryPolicy policy, int most) {
    Value value = fields.given("failures");
    List<Value> items = value == null ? null : value.items(most);
    List<Failure> failures = new ArrayList<>();
    for (Value item : items == null ? List.<Value>of() : items) {
      Failure failure = problems.collect(item.path(), () -> FailureJson.read(item.json()));
      if (failure != null) {
        failures.add(failure);
      }
    }
    return failures.isEmpty() ? List.of(TypicalFailure.of(policy)) : failures;
  }

  int whole(String name, int otherwise, int least, int most) {
    Value value = fields.given(name);
    Long number = value == null ? null : value.whole(least, most);
    return number == null ? otherwise : number.intValue();
  }

  long whole(String name, long otherwise) {
    Value value = fields.given(name);
    Long number = value == null ? null : value.whole(Long.MIN_VALUE, Long.MAX_VALUE);
    return number == null ? otherwise : number;
  }

  double number(String name, double otherwise, double least) {
    Value value = fields.given(name);
    Double number = value == null ? null : value.number(least);
    return number == null ? otherwise : number;
  }

  boolean truth(String name, boolean otherwise) {
    Value value = fields.given(name);
    Boolean truth = value == null ? null : value.truth();
    return truth == null ? otherwise : truth;
  }

  Duration length(String name, Duration otherwise) {
    Value value = fields.given(name);
    Duration length = value == null ? null : value.delay();
    return length == null ? otherwise : length;
  }

  /** The same, which may be nothing: that, too, is meant when it is not said. */
  Duration lengthOrNone(String name) {
    Value value = fields.given(name);
    Duration length = value == null || isNothing(value) ? null : value.delay();
    return length == null ? Duration.ZERO : length;
  }

  private static boolean isNothing(Value value) {
    try {
      return value.json().isString() && DurationText.parse(value.json().stringValue()).isZero();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The field, when it is there and not null. */
  @Nullable Value given(String name) {
    return fields.given(name);
  }

  /** The field, whose absence is a problem. */
  @Nullable Value required(String name) {
    return fields.required(name);
  }

  long whole(String name, long otherwise, long least) {
    Value value = fields.given(name);
    Long number = value == null ? null : value.whole(least, Long.MAX_VALUE);
    return number == null ? otherwise : number;
  }

  /** What the engine makes of it; it checks too, and its message begins with the field's name. */
  <T> T checked(Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      Complaint complaint = Complaint.of(e);
      problems.add(complaint.field(), complaint.message());
      problems.throwIfAny();
      throw e;
    }
  }

  /** Null when it is not said. */
  @Nullable Duration length(String name) {
    Value value = fields.given(name);
    return value == null ? null : value.delay();
  }

  /** Texts in an array; a missing one is empty. */
  List<String> texts(String name, int most) {
    Value value = fields.given(name);
    List<Value> items = value == null ? null : value.items(most);
    return items == null
        ? List.of()
        : items.stream().map(Value::text).filter(Objects::nonNull).toList();
  }

  @Nullable String text(String name) {
    Value value = fields.given(name);
    return value == null ? null : value.text();
  }
}
