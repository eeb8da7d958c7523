// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NameSuggestion;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the fields of a JSON object within an action. Fields that were never read are unknown. Each
 * method returns null when the field is absent or wrong, and adds an error when it is wrong.
 */
final class ActionFields {

  private static final int MAX_UNKNOWN_REPORTED = 20;

  private final JsonNode object;
  private final String path;
  private final FieldErrors errors;
  private final Set<String> known = new LinkedHashSet<>();

  private ActionFields(JsonNode object, String path, FieldErrors errors) {
    this.object = object;
    this.path = path;
    this.errors = errors;
  }

  static @Nullable ActionFields of(JsonNode json, String path, FieldErrors errors) {
    if (json.isObject()) {
      return new ActionFields(json, path, errors);
    }
    errors.add(path, "must be an object, not " + typeName(json));
    return null;
  }

  String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  void addProblem(String name, String message) {
    errors.add(path(name), message);
  }

  /** The field, or null when it is absent or null. */
  @Nullable JsonNode optional(String name) {
    known.add(name);
    JsonNode value = object.get(name);
    return value == null || value.isNull() ? null : value;
  }

  /** The field; its absence is an error. */
  @Nullable JsonNode required(String name) {
    JsonNode value = optional(name);
    if (value == null) {
      addProblem(name, "is required");
    }
    return value;
  }

  @Nullable ActionFields object(String name) {
    JsonNode value = required(name);
    return value == null ? null : of(value, path(name), errors);
  }

  @Nullable String text(String name, @Nullable JsonNode value) {
    if (value == null || value.isString()) {
      return value == null ? null : value.stringValue();
    }
    addProblem(name, "must be a string, not " + typeName(value));
    return null;
  }

  /** The constant with this word, ignoring case. */
  <T> @Nullable T enumValue(
      String name, @Nullable JsonNode value, T[] constants, Function<T, String> word) {
    String text = text(name, value);
    if (text == null) {
      return null;
    }
    Optional<T> found =
        Arrays.stream(constants)
            .filter(each -> word.apply(each).equalsIgnoreCase(text))
            .findFirst();
    if (found.isEmpty()) {
      List<String> words = Arrays.stream(constants).map(word).toList();
      addProblem(
          name,
          "unknown %s '%s'%s (%s)"
              .formatted(
                  name,
                  FieldError.sanitize(text),
                  NameSuggestion.hint(text, words),
                  String.join(", ", words)));
    }
    return found.orElse(null);
  }

  /** A duration with a unit, greater than 0 and at most {@code max}. */
  @Nullable Duration duration(String name, Duration max) {
    JsonNode value = optional(name);
    if (value != null && value.isNumber()) {
      addProblem(name, "has no unit: write \"30s\" for 30 seconds");
      return null;
    }
    String text = text(name, value);
    if (text == null) {
      return null;
    }
    try {
      Duration duration = DurationText.parse(text);
      if (duration.toMillis() > 0 && duration.compareTo(max) <= 0) {
        return duration;
      }
      addProblem(name, "must be more than 0 and at most " + DurationText.format(max));
    } catch (IllegalArgumentException e) {
      addProblem(name, String.valueOf(e.getMessage()));
    }
    return null;
  }

  /** Adds an error for every field that was not read. */
  void rejectUnknownFields() {
    object
        .propertyStream()
        .map(field -> field.getKey())
        .filter(name -> !known.contains(name))
        .limit(MAX_UNKNOWN_REPORTED)
        .forEach(
            name ->
                addProblem(
                    FieldError.sanitize(name),
                    "unknown field%s (known fields: %s)"
                        .formatted(NameSuggestion.hint(name, known), String.join(", ", known))));
  }

  /** The JSON type for error messages; never the value, which may be a secret. */
  static String typeName(JsonNode json) {
    return switch (json.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "true or false";
      case NULL -> "null";
      default -> "something else";
    };
  }
}
