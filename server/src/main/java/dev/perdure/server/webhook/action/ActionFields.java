// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
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
 * The fields of a JSON object within an action. They remember what they were asked for: whatever
 * nobody asked for is unknown. Each reader answers null when the field is absent or wrong, and has
 * said so among the problems when it is wrong.
 */
final class ActionFields {

  private static final int MOST_STRANGERS = 20;

  private final JsonNode object;
  private final String path;
  private final Problems problems;
  private final Set<String> known = new LinkedHashSet<>();

  private ActionFields(JsonNode object, String path, Problems problems) {
    this.object = object;
    this.path = path;
    this.problems = problems;
  }

  static @Nullable ActionFields of(JsonNode json, String path, Problems problems) {
    if (json.isObject()) {
      return new ActionFields(json, path, problems);
    }
    problems.add(path, "must be an object, not " + described(json));
    return null;
  }

  String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  void wrong(String name, String message) {
    problems.add(path(name), message);
  }

  /** The field, when it is there and not null. */
  @Nullable JsonNode given(String name) {
    known.add(name);
    JsonNode value = object.get(name);
    return value == null || value.isNull() ? null : value;
  }

  /** The field, whose absence is a problem. */
  @Nullable JsonNode required(String name) {
    JsonNode value = given(name);
    if (value == null) {
      wrong(name, "is required");
    }
    return value;
  }

  @Nullable ActionFields object(String name) {
    JsonNode value = required(name);
    return value == null ? null : of(value, path(name), problems);
  }

  @Nullable String text(String name, @Nullable JsonNode value) {
    if (value == null || value.isString()) {
      return value == null ? null : value.stringValue();
    }
    wrong(name, "must be a string, not " + described(value));
    return null;
  }

  /** One of these constants, by its word in any case. */
  <T> @Nullable T word(
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
      wrong(
          name,
          "unknown %s '%s'%s (%s)"
              .formatted(
                  name,
                  Problem.quotable(text),
                  NearestName.hint(text, words),
                  String.join(", ", words)));
    }
    return found.orElse(null);
  }

  /** A duration with its unit, more than 0 and at most so long. */
  @Nullable Duration duration(String name, Duration most) {
    JsonNode value = given(name);
    if (value != null && value.isNumber()) {
      wrong(name, "has no unit: write \"30s\" for 30 seconds");
      return null;
    }
    String text = text(name, value);
    if (text == null) {
      return null;
    }
    try {
      Duration duration = DurationText.parse(text);
      if (duration.toMillis() > 0 && duration.compareTo(most) <= 0) {
        return duration;
      }
      wrong(name, "must be more than 0 and at most " + DurationText.format(most));
    } catch (IllegalArgumentException e) {
      wrong(name, String.valueOf(e.getMessage()));
    }
    return null;
  }

  /** Whatever was not asked for is a problem. */
  void refuseOthers() {
    object
        .propertyStream()
        .map(field -> field.getKey())
        .filter(name -> !known.contains(name))
        .limit(MOST_STRANGERS)
        .forEach(
            name ->
                wrong(
                    Problem.quotable(name),
                    "unknown field%s (it can have %s)"
                        .formatted(NearestName.hint(name, known), String.join(", ", known))));
  }

  /** What stands there, in a word; never its content, which may be a secret. */
  static String described(JsonNode json) {
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
