// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NearestName;
import dev.perdure.policy.RetryPolicy;
import java.math.BigDecimal;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Tells the forms of a policy apart and has the right one read it. In this order: an array is a
 * ladder; {@code preset}; a strategy; {@code max_retries} beside fields that only tasks have;
 * {@code backoff}; and what is left with {@code max_retries} or a field of tasks is a task.
 */
final class PolicyReader {

  private PolicyReader() {}

  /** The policy of this value. */
  static RetryPolicy read(JsonNode json, FieldErrors fieldErrors) {
    return isNone(json) ? none(fieldErrors) : reading(json, fieldErrors).policy();
  }

  /** The same, within the limits that its form has. */
  static RetryPolicy read(JsonNode json, FieldErrors fieldErrors, ServerPolicyLimits limits) {
    if (isNone(json)) {
      return none(fieldErrors);
    }
    boolean task = json.isObject() && isTask(json);
    return reading(json, fieldErrors).policyWithin(task ? limits.task() : limits.others());
  }

  private static RetryPolicy none(FieldErrors fieldErrors) {
    fieldErrors.throwIfAny();
    return RetryPolicy.none();
  }

  private static PolicyReadState reading(JsonNode json, FieldErrors fieldErrors) {
    PolicyReadState policyReadState = new PolicyReadState(fieldErrors);
    JsonValueReader policy = new JsonValueReader("", json, fieldErrors);
    if (json.isArray()) {
      LadderDialect.read(policy, policyReadState);
      return policyReadState;
    }
    if (!json.isObject()) {
      policy.addError("must be an object, an array or null, not " + policy.describe());
      return policyReadState;
    }
    JsonObjectReader jsonObjectReader = JsonObjectReader.of(policy);
    if (json.has("preset")) {
      CanonicalReader.read(jsonObjectReader, policyReadState);
    } else if (isStrategy(json)) {
      StrategyDialect.read(jsonObjectReader.acceptCamelCase(), policyReadState);
    } else if (isTask(json)) {
      TaskDialect.read(jsonObjectReader, policyReadState);
    } else if (json.has("backoff")) {
      CanonicalReader.read(jsonObjectReader, policyReadState);
    } else {
      policy.addError("is in no known form; " + PolicyDialect.recognitionRules());
      jsonObjectReader.rejectUnknownWith(
          name ->
              PolicyDialect.noDialectMessage(name)
                  + NearestName.hint(name, PolicyDialect.suggestionsFor(name)));
    }
    return policyReadState;
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
    return JsonNumbers.of(json.path("max_retries")).orElse(BigDecimal.ONE.negate());
  }
}
