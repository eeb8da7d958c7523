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
 * Runs files of expected decisions: an array of {@code {"name", "policy", "decisions": [{"attempt",
 * "failure", "age_ms", "now", "prev_delay_ms", "expect"}]}}, where {@code expect} is {@code
 * {"retry": true, "delay_min_ms", "delay_max_ms"}} or {@code {"retry": false, "reason"}}.
 */
public final class DecisionVectors {

  private static final int MAX_ENTRIES = 100_000;

  private int passed;
  private final List<String> differences = new ArrayList<>();

  private DecisionVectors() {}

  /**
   * How a file came out.
   *
   * @param passed how many decisions are as expected
   * @param differences one line for each decision that is not as expected, policy that cannot be
   *     read, or part of the file that is not of the form
   */
  public record Result(int passed, List<String> differences) {

    public Result {
      differences = List.copyOf(differences);
    }
  }

  /** Compares every decision; bounds may differ by a millisecond of rounding. */
  public static Result check(JsonNode file) {
    DecisionVectors decisionVectors = new DecisionVectors();
    FieldErrors fieldErrors = new FieldErrors();
    List<JsonValueReader> items = new JsonValueReader("", file, fieldErrors).array(MAX_ENTRIES);
    decisionVectors.addDifferences("the file", fieldErrors);
    for (int i = 0; items != null && i < items.size(); i++) {
      decisionVectors.checkVector("vector " + i, items.get(i).json());
    }
    return new Result(decisionVectors.passed, decisionVectors.differences);
  }

  private void checkVector(String place, JsonNode json) {
    FieldErrors fieldErrors = new FieldErrors();
    JsonObjectReader jsonObjectReader = new JsonValueReader("", json, fieldErrors).object();
    if (jsonObjectReader == null) {
      addDifferences(place, fieldErrors);
      return;
    }
    JsonValueReader named = jsonObjectReader.required("name");
    String name = named == null ? null : named.text();
    String title = name == null ? place : name;
    JsonValueReader policy = jsonObjectReader.required("policy");
    JsonValueReader list = jsonObjectReader.required("decisions");
    List<JsonValueReader> decisions = list == null ? null : list.array(MAX_ENTRIES);
    jsonObjectReader.rejectUnknown();
    addDifferences(title, fieldErrors);
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
    FieldErrors fieldErrors = new FieldErrors();
    JsonObjectReader jsonObjectReader = new JsonValueReader("", json, fieldErrors).object();
    if (jsonObjectReader == null) {
      addDifferences(title, fieldErrors);
      return;
    }
    DecisionContext decisionContext = decisionContext(jsonObjectReader);
    JsonValueReader failed = jsonObjectReader.required("failure");
    Failure failure = failed == null ? null : FailureJson.read(failed);
    JsonValueReader named = jsonObjectReader.required("expect");
    ExpectedDecision expected = named == null ? null : ExpectedDecision.read(named);
    jsonObjectReader.rejectUnknown();
    if (addDifferences(title, fieldErrors) || failure == null || expected == null) {
      return;
    }
    DecisionPreview decisionPreview = policy.preview(decisionContext, failure);
    if (expected.matches(decisionPreview)) {
      passed++;
    } else {
      differences.add(
          "%s, attempt %d: expected %s, found %s"
              .formatted(
                  title,
                  decisionContext.attempt(),
                  expected,
                  ExpectedDecision.of(decisionPreview)));
    }
  }

  private static DecisionContext decisionContext(JsonObjectReader jsonObjectReader) {
    JsonValueReader numbered = jsonObjectReader.required("attempt");
    Long attempt = numbered == null ? null : numbered.integer(0, Long.MAX_VALUE);
    Duration age = FailureJson.millis(jsonObjectReader.nonNull("age_ms"));
    JsonValueReader clock = jsonObjectReader.nonNull("now");
    Instant now = clock == null ? null : clock.instant();
    return DecisionContext.attempt(attempt == null ? 0 : attempt)
        .withAge(age == null ? Duration.ZERO : age)
        .withNow(now == null ? Instant.EPOCH : now)
        .withPreviousDelay(FailureJson.millis(jsonObjectReader.nonNull("prev_delay_ms")));
  }

  /** Notes all problems on one line; false when there are none. */
  private boolean addDifferences(String title, FieldErrors fieldErrors) {
    if (fieldErrors.count() == 0) {
      return false;
    }
    List<String> lines = fieldErrors.list().stream().map(FieldError::toString).toList();
    differences.add(title + ": " + String.join("; ", lines));
    return true;
  }
}
