// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DecisionPreview;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Checks files of expected decisions. A file is an array of {@code {"name", "policy", "decisions":
 * [{"attempt", "failure", "age_ms", "now", "prev_delay_ms", "expect"}]}}, where {@code expect} is
 * {@code {"retry": true, "delay_min_ms", "delay_max_ms"}} or {@code {"retry": false, "reason"}}.
 */
public final class DecisionVectors {

  private static final int MAX_ENTRIES = 100_000;

  private int passed;
  private final List<String> differences = new ArrayList<>();

  private DecisionVectors() {}

  /**
   * The result of checking a file.
   *
   * @param passed the number of decisions that are as expected
   * @param differences one line for each decision that differs, each policy that is invalid, and
   *     each part of the file that has the wrong form
   */
  public record Result(int passed, List<String> differences) {

    public Result {
      differences = List.copyOf(differences);
    }
  }

  /** Compares every decision. Bounds may differ by one millisecond because of rounding. */
  public static Result check(JsonNode file) {
    DecisionVectors vectors = new DecisionVectors();
    FieldErrors errors = new FieldErrors();
    List<JsonValueReader> items = new JsonValueReader("", file, errors).array(MAX_ENTRIES);
    vectors.addErrors("the file", errors);
    for (int i = 0; items != null && i < items.size(); i++) {
      vectors.checkVector("vector " + i, items.get(i).json());
    }
    return new Result(vectors.passed, vectors.differences);
  }

  private void checkVector(String position, JsonNode json) {
    FieldErrors errors = new FieldErrors();
    JsonObjectReader object = new JsonValueReader("", json, errors).object();
    if (object == null) {
      addErrors(position, errors);
      return;
    }
    JsonValueReader named = object.required("name");
    String name = named == null ? null : named.text();
    String title = name == null ? position : name;
    JsonValueReader policy = object.required("policy");
    JsonValueReader list = object.required("decisions");
    List<JsonValueReader> decisions = list == null ? null : list.array(MAX_ENTRIES);
    object.rejectUnknown();
    addErrors(title, errors);
    if (policy != null && decisions != null) {
      checkDecisions(title, policy.json(), decisions);
    }
  }

  private void checkDecisions(String title, JsonNode policy, List<JsonValueReader> decisions) {
    RetryPolicy read;
    try {
      read = PolicyJson.read(policy);
    } catch (InvalidPolicyException e) {
      differences.add(title + ": " + e.getMessage());
      return;
    }
    for (JsonValueReader decision : decisions) {
      checkDecision(title + ", " + decision.path(), read, decision.json());
    }
  }

  private void checkDecision(String title, RetryPolicy policy, JsonNode json) {
    FieldErrors errors = new FieldErrors();
    JsonObjectReader object = new JsonValueReader("", json, errors).object();
    if (object == null) {
      addErrors(title, errors);
      return;
    }
    DecisionContext context = context(object);
    JsonValueReader failed = object.required("failure");
    Failure failure = failed == null ? null : FailureJson.read(failed);
    JsonValueReader named = object.required("expect");
    ExpectedDecision expected = named == null ? null : ExpectedDecision.read(named);
    object.rejectUnknown();
    if (addErrors(title, errors) || failure == null || expected == null) {
      return;
    }
    DecisionPreview preview = policy.preview(context, failure);
    if (expected.matches(preview)) {
      passed++;
    } else {
      differences.add(
          "%s, attempt %d: expected %s, found %s"
              .formatted(title, context.attempt(), expected, ExpectedDecision.of(preview)));
    }
  }

  private static DecisionContext context(JsonObjectReader object) {
    JsonValueReader numbered = object.required("attempt");
    Long attempt = numbered == null ? null : numbered.integer(0, Long.MAX_VALUE);
    Duration age = FailureJson.millis(object.nonNull("age_ms"));
    JsonValueReader clock = object.nonNull("now");
    Instant now = clock == null ? null : clock.instant();
    return DecisionContext.attempt(attempt == null ? 0 : attempt)
        .withAge(age == null ? Duration.ZERO : age)
        .withNow(now == null ? Instant.EPOCH : now)
        .withPreviousDelay(FailureJson.millis(object.nonNull("prev_delay_ms")));
  }

  /** Adds all errors as one line; returns false if there are none. */
  private boolean addErrors(String title, FieldErrors errors) {
    if (errors.count() == 0) {
      return false;
    }
    List<String> lines = errors.list().stream().map(FieldError::toString).toList();
    differences.add(title + ": " + String.join("; ", lines));
    return true;
  }
}
