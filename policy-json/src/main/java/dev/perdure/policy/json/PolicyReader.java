// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NameSuggestion;
import java.math.BigDecimal;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Recognizes the dialect of a policy and reads it. The order is: an array is a ladder; {@code
 * preset} is canonical; {@code retry_strategy} or {@code strategy} is a strategy; {@code
 * max_retries} with fields that only tasks have is a task; {@code backoff} is canonical; and
 * anything else with {@code max_retries} or a field of tasks is a task.
 */
final class PolicyReader {

  private PolicyReader() {}

  /** Reads a policy; checks it against the limits of its dialect if there are any. */
  static WrittenPolicy read(
      JsonNode json, FieldErrors errors, @Nullable ServerPolicyLimits limits) {
    if (isNone(json)) {
      errors.throwIfAny();
      return WrittenPolicy.NONE;
    }
    PolicyDialect dialect = dialectOf(json);
    PolicyParseState state = new PolicyParseState(errors, dialect, limits);
    parse(new JsonValueReader("", json, errors), dialect, state);
    return state.result();
  }

  private static void parse(
      JsonValueReader policy, @Nullable PolicyDialect dialect, PolicyParseState state) {
    switch (dialect) {
      case CANONICAL -> CanonicalReader.read(JsonObjectReader.of(policy), state);
      case STRATEGY -> StrategyDialect.read(JsonObjectReader.of(policy).acceptCamelCase(), state);
      case TASK -> TaskDialect.read(JsonObjectReader.of(policy), state);
      case LADDER -> LadderDialect.read(policy, state);
      case null -> rejectUnknownForm(policy);
    }
  }

  private static void rejectUnknownForm(JsonValueReader policy) {
    JsonNode json = policy.json();
    if (!json.isObject()) {
      policy.addError(
          "must be an object, an array or null, not " + policy.describe() + objectInstead(policy));
      return;
    }
    policy.addError("has no known form; the forms are " + PolicyDialect.recognitionRules());
    JsonObjectReader.of(policy)
        .rejectUnknown(
            name ->
                PolicyDialect.knows(name)
                    ? PolicyDialect.noDialectMessage(name)
                    : "unknown field"
                        + NameSuggestion.hint(name, PolicyDialect.replacements(name, json)));
  }

  /** Says how to write the name of a preset or a number of retries as a policy. */
  private static String objectInstead(JsonValueReader policy) {
    JsonNode json = policy.json();
    String retries =
        JsonNumbers.of(json)
            .filter(number -> JsonNumbers.isWhole(number) && number.signum() >= 0)
            .map(number -> "; write {\"max_retries\": %s}".formatted(policy.describe()))
            .orElse("");
    return json.isString()
        ? NameSuggestion.to(json.stringValue(), CanonicalReader.PRESETS)
            .map("; write {\"preset\": \"%s\"}"::formatted)
            .orElse("")
        : retries;
  }

  private static boolean isNone(JsonNode json) {
    if (json.isNull() || json.isMissingNode()) {
      return true;
    }
    boolean zero = retries(json).signum() == 0 && json.has("max_retries");
    boolean disabled = json.path("enabled").isBoolean() && !json.path("enabled").booleanValue();
    return json.isObject() && json.size() == 1 && (zero || disabled);
  }

  /** Returns the dialect of a policy; null if it is in no known form. */
  static @Nullable PolicyDialect dialectOf(JsonNode json) {
    if (json.isArray()) {
      return PolicyDialect.LADDER;
    }
    if (json.has("preset")) {
      return PolicyDialect.CANONICAL;
    }
    if (Stream.of("retry_strategy", "retryStrategy", "strategy").anyMatch(json::has)) {
      return PolicyDialect.STRATEGY;
    }
    if (isTask(json)) {
      return PolicyDialect.TASK;
    }
    return json.has("backoff") ? PolicyDialect.CANONICAL : null;
  }

  /**
   * With {@code backoff} as well, fields that only tasks have make it a task, and {@code backoff}
   * an error.
   */
  private static boolean isTask(JsonNode json) {
    boolean hasTaskFields = TaskDialect.OWN_FIELDS.stream().anyMatch(json::has);
    return json.has("backoff")
        ? hasTaskFields && retries(json).signum() > 0
        : hasTaskFields || json.has("max_retries");
  }

  private static BigDecimal retries(JsonNode json) {
    return JsonNumbers.of(json.path("max_retries")).orElse(BigDecimal.ONE.negate());
  }
}
