// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problems;
import dev.perdure.policy.RetryPolicy;
import java.math.BigDecimal;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Tells the forms of a policy apart and has the right one read it. In this order: an array is a
 * ladder; {@code preset}; a strategy; {@code max_retries} beside fields that only tasks have;
 * {@code backoff}; and what is left with {@code max_retries} or a field of tasks is a task.
 */
final class Dialects {

  private Dialects() {}

  /** The policy of this value. */
  static RetryPolicy read(JsonNode json, Problems problems) {
    return isNone(json) ? none(problems) : reading(json, problems).policy();
  }

  /** The same, within the limits that its form has. */
  static RetryPolicy read(JsonNode json, Problems problems, ServerLimits limits) {
    if (isNone(json)) {
      return none(problems);
    }
    boolean task = json.isObject() && isTask(json);
    return reading(json, problems).policyWithin(task ? limits.task() : limits.others());
  }

  private static RetryPolicy none(Problems problems) {
    problems.throwIfAny();
    return RetryPolicy.none();
  }

  private static Reading reading(JsonNode json, Problems problems) {
    Reading reading = new Reading(problems);
    Value policy = new Value("", json, problems);
    if (json.isArray()) {
      LadderDialect.read(policy, reading);
      return reading;
    }
    if (!json.isObject()) {
      policy.wrong("must be an object, an array or null, not " + policy.described());
      return reading;
    }
    Fields fields = Fields.of(policy);
    if (json.has("preset")) {
      CanonicalForm.read(fields, reading);
    } else if (isStrategy(json)) {
      StrategyDialect.read(fields.inEitherCase(), reading);
    } else if (isTask(json)) {
      TaskDialect.read(fields, reading);
    } else if (json.has("backoff")) {
      CanonicalForm.read(fields, reading);
    } else {
      policy.wrong("is in no known form; " + Form.marks());
      fields.refuse(name -> Form.homeless(name) + NearestName.hint(name, Form.strangersTo(name)));
    }
    return reading;
  }

  private static boolean isNone(JsonNode json) {
    if (json.isNull() || json.isMissingNode()) {
      return true;
    }
    boolean zero = retries(json).signum() == 0 && json.has("max_retries");
    boolean disabled = json.path("enabled").isBoolean() && !json.path("enabled").booleanValue();
    return json.isObject() && json.size() == 1 && (zero || disabled);
  }

  private static boolean isStrategy(JsonNode json) {
    return Stream.of("retry_strategy", "retryStrategy", "strategy").anyMatch(json::has);
  }

  /**
   * With {@code backoff} too, it is a task by what only tasks have, and {@code backoff} is wrong.
   */
  private static boolean isTask(JsonNode json) {
    if (json.has("preset") || isStrategy(json)) {
      return false;
    }
    boolean ofTasksOnly = TaskDialect.OWN_FIELDS.stream().anyMatch(json::has);
    return json.has("backoff")
        ? ofTasksOnly && retries(json).signum() > 0
        : ofTasksOnly || json.has("max_retries");
  }

  private static BigDecimal retries(JsonNode json) {
    return Numbers.of(json.path("max_retries")).orElse(BigDecimal.ONE.negate());
  }
}
