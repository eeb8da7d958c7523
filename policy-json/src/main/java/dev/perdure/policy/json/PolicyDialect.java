// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.NameSuggestion;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON dialects of a policy, with their fields. */
enum PolicyDialect {
  CANONICAL("the canonical form", "'backoff' or 'preset'"),
  STRATEGY("the strategy dialect", "'retry_strategy' or 'strategy'"),
  TASK("the task dialect", "'max_retries' without 'backoff'"),
  LADDER("the ladder dialect", "an array of {count, delay_minutes}");

  private static final int MAX_FIELDS = 50;

  private final String title;
  private final String recognizedBy;

  PolicyDialect(String title, String recognizedBy) {
    this.title = title;
    this.recognizedBy = recognizedBy;
  }

  String title() {
    return title;
  }

  private Stream<String> fields() {
    return switch (this) {
      case CANONICAL ->
          Stream.of(
              "preset",
              "max_retries",
              "backoff",
              "jitter",
              "max_delay",
              "expires_after",
              "expires_at",
              "retry_on",
              "never_on",
              "retry_after",
              "overrides");
      case STRATEGY ->
          Stream.of(
                  "retry_strategy",
                  "strategy",
                  "enabled",
                  "max_attempts",
                  "initial_delay_seconds",
                  "delay_seconds",
                  "multiplier",
                  "max_delay_seconds",
                  "custom_schedule",
                  "retry_on",
                  "ignore_exceptions",
                  "expires_at")
              .flatMap(name -> Stream.of(name, FieldNameCase.camel(name)));
      case TASK ->
          Stream.concat(TaskDialect.OWN_FIELDS.stream(), Stream.of("max_retries", "retry_on"));
      case LADDER -> Stream.of("count", "delay_minutes");
    };
  }

  boolean hasField(String name) {
    return fields().anyMatch(name::equals);
  }

  /** Returns true if any dialect has the field. */
  static boolean knows(String name) {
    return with(name).findAny().isPresent();
  }

  private static Stream<PolicyDialect> with(String name) {
    return Arrays.stream(values()).filter(dialect -> dialect.hasField(name));
  }

  private static String titles(String name) {
    return with(name).map(PolicyDialect::title).collect(Collectors.joining(" and "));
  }

  /** Describes how each dialect is recognized. */
  static String recognitionRules() {
    return Arrays.stream(values()).map(PolicyDialect::rule).collect(Collectors.joining(", "));
  }

  private String rule() {
    return "%s (recognized by %s)".formatted(title, recognizedBy);
  }

  /**
   * Returns the error message for a field that only other dialects have, in an object of this
   * dialect.
   */
  String foreignFieldMessage(String name, JsonNode object) {
    String own = ownField(name, object);
    return own == null
        ? "belongs to %s, recognized by %s; this is %s"
            .formatted(
                titles(name),
                with(name).map(other -> other.recognizedBy).collect(Collectors.joining(" or ")),
                title)
        : "two forms are mixed: '%s' belongs to %s, but '%s' to %s; keep the fields of one form"
            .formatted(name, titles(name), own, title);
  }

  /** Returns a field of the object that no dialect with the other field has. */
  private @Nullable String ownField(String other, JsonNode object) {
    return object
        .propertyStream()
        .map(field -> field.getKey())
        .limit(MAX_FIELDS)
        .filter(this::hasField)
        .filter(name -> with(other).noneMatch(dialect -> dialect.hasField(name)))
        .findFirst()
        .orElse(null);
  }

  /** Returns the error message for a field of some dialect, in an object of no known dialect. */
  static String noDialectMessage(String name) {
    return "belongs to " + with(name).map(PolicyDialect::rule).collect(Collectors.joining(" and "));
  }

  /**
   * Returns similar fields of other dialects that an unknown field can be renamed to: the object is
   * then in a dialect that has the new field, and none of the other fields becomes unknown.
   */
  static List<String> replacements(String unknown, JsonNode object) {
    if (object.size() > MAX_FIELDS) {
      return List.of();
    }
    return Arrays.stream(values())
        .flatMap(PolicyDialect::fields)
        .distinct()
        .filter(name -> NameSuggestion.to(unknown, List.of(name)).isPresent())
        .filter(name -> !object.has(name) && isReplacement(unknown, name, object))
        .toList();
  }

  private static boolean isReplacement(String unknown, String name, JsonNode object) {
    ObjectNode renamed = JsonNodeFactory.instance.objectNode();
    object
        .propertyStream()
        .forEach(
            field ->
                renamed.set(
                    field.getKey().equals(unknown) ? name : field.getKey(), field.getValue()));
    PolicyDialect before = PolicyReader.dialectOf(object);
    PolicyDialect after = PolicyReader.dialectOf(renamed);
    return after != null
        && after != before
        && after.hasField(name)
        && unknownFields(after, renamed) < unknownFields(before, object);
  }

  private static long unknownFields(@Nullable PolicyDialect dialect, JsonNode object) {
    return object.propertyNames().stream()
        .filter(name -> dialect == null || !dialect.hasField(name))
        .count();
  }
}
