// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Facts;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.Outlook;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
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
public final class Vectors {

  private static final int MOST_ENTRIES = 100_000;

  private int passed;
  private final List<String> differences = new ArrayList<>();

  private Vectors() {}

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
    Vectors vectors = new Vectors();
    Problems problems = new Problems();
    List<Value> items = new Value("", file, problems).items(MOST_ENTRIES);
    vectors.differ("the file", problems);
    for (int i = 0; items != null && i < items.size(); i++) {
      vectors.checkVector("vector " + i, items.get(i).json());
    }
    return new Result(vectors.passed, vectors.differences);
  }

  private void checkVector(String place, JsonNode json) {
    Problems problems = new Problems();
    Fields fields = new Value("", json, problems).fields();
    if (fields == null) {
      differ(place, problems);
      return;
    }
    Value named = fields.required("name");
    String name = named == null ? null : named.text();
    String title = name == null ? place : name;
    Value policy = fields.required("policy");
    Value list = fields.required("decisions");
    List<Value> decisions = list == null ? null : list.items(MOST_ENTRIES);
    fields.refuseOthers();
    differ(title, problems);
    if (policy != null && decisions != null) {
      checkDecisions(title, policy.json(), decisions);
    }
  }

  private void checkDecisions(String title, JsonNode policy, List<Value> decisions) {
    RetryPolicy read;
    try {
      read = PolicyJson.read(policy);
    } catch (InvalidPolicyException e) {
      differences.add(title + ": " + e.getMessage());
      return;
    }
    for (Value decision : decisions) {
      checkDecision(title + ", " + decision.path(), read, decision.json());
    }
  }

  private void checkDecision(String title, RetryPolicy policy, JsonNode json) {
    Problems problems = new Problems();
    Fields fields = new Value("", json, problems).fields();
    if (fields == null) {
      differ(title, problems);
      return;
    }
    Facts facts = facts(fields);
    Value failed = fields.required("failure");
    Failure failure = failed == null ? null : FailureJson.read(failed);
    Value named = fields.required("expect");
    Expectation expected = named == null ? null : Expectation.read(named);
    fields.refuseOthers();
    if (differ(title, problems) || failure == null || expected == null) {
      return;
    }
    Outlook outlook = policy.outlook(facts, failure);
    if (expected.isMetBy(outlook)) {
      passed++;
    } else {
      differences.add(
          "%s, attempt %d: expected %s, found %s"
              .formatted(title, facts.attempt(), expected, Expectation.of(outlook)));
    }
  }

  private static Facts facts(Fields fields) {
    Value numbered = fields.required("attempt");
    Long attempt = numbered == null ? null : numbered.whole(0, Long.MAX_VALUE);
    Duration age = FailureJson.millis(fields.given("age_ms"));
    Value clock = fields.given("now");
    Instant now = clock == null ? null : clock.instant();
    return Facts.attempt(attempt == null ? 0 : attempt)
        .withAge(age == null ? Duration.ZERO : age)
        .withNow(now == null ? Instant.EPOCH : now)
        .withPreviousDelay(FailureJson.millis(fields.given("prev_delay_ms")));
  }

  /** Notes all problems on one line; false when there are none. */
  private boolean differ(String title, Problems problems) {
    if (problems.count() == 0) {
      return false;
    }
    List<String> lines = problems.found().stream().map(Problem::toString).toList();
    differences.add(title + ": " + String.join("; ", lines));
    return true;
  }
}
