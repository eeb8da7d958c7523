// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NameSuggestion;
import dev.perdure.policy.RetryPolicy;
import java.math.BigDecimal;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Recognizes the dialect of a policy and reads it. The order is: an array is a ladder; {@code
 * preset} is canonical; {@code retry_strategy} or {@code strategy} is a strategy; {@code
 * max_retries} with fields that only tasks have is a task; {@code backoff} is canonical; and
 * anything else with {@code max_retries} or a field of tasks is a task.
 */
final class PolicyReader {

  private PolicyReader() {}

  /** Reads a policy. */
  static RetryPolicy read(JsonNode json, FieldErrors errors) {
    return isNone(json) ? none(errors) : parse(json, errors).policy();
  }

  /** Reads a policy and checks it against the limits of its dialect. */
  static RetryPolicy read(JsonNode json, FieldErrors errors, ServerPolicyLimits limits) {
    if (isNone(json)) {
      return none(errors);
    }
    boolean task = json.isObject() && isTask(json);
    return parse(json, errors).policyWithin(task ? limits.task() : limits.others());
  }

  private static RetryPolicy none(FieldErrors errors) {
    errors.throwIfAny();
    return RetryPolicy.none();
  }

  private static PolicyParseState parse(JsonNode json, FieldErrors errors) {
    PolicyParseState state = new PolicyParseState(errors);
    JsonValueReader policy = new JsonValueReader("", json, errors);
    if (json.isArray()) {
      LadderDialect.read(policy, state);
      return state;
    }
    if (!json.isObject()) {
      policy.addError("must be an object, an array or null, not " + policy.describe());
      return state;
    }
    JsonObjectReader object = JsonObjectReader.of(policy);
    if (json.has("preset")) {
      CanonicalReader.read(object, state);
    } else if (isStrategy(json)) {
      StrategyDialect.read(object.acceptCamelCase(), state);
    } else if (isTask(json)) {
      TaskDialect.read(object, state);
    } else if (json.has("backoff")) {
      CanonicalReader.read(object, state);
    } else {
      policy.addError("has no known form; the forms are " + PolicyDialect.recognitionRules());
      object.rejectUnknownWith(
          name ->
              PolicyDialect.noDialectMessage(name)
                  + NameSuggestion.hint(name, PolicyDialect.suggestionsFor(name)));
    }
    return state;
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
   * With {@code backoff} as well, fields that only tasks have make it a task, and {@code backoff}
   * an error.
   */
  private static boolean isTask(JsonNode json) {
    if (json.has("preset") || isStrategy(json)) {
      return false;
    }
    boolean hasTaskFields = TaskDialect.OWN_FIELDS.stream().anyMatch(json::has);
    return json.has("backoff")
        ? hasTaskFields && retries(json).signum() > 0
        : hasTaskFields || json.has("max_retries");
  }

  private static BigDecimal retries(JsonNode json) {
    return JsonNumbers.of(json.path("max_retries")).orElse(BigDecimal.ONE.negate());
  }
}
