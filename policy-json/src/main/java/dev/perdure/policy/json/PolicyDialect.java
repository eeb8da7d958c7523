// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The JSON dialects of a policy, with their fields. */
enum PolicyDialect {
  CANONICAL("the canonical form", "'backoff' or 'preset'"),
  STRATEGY("the strategy dialect", "'retry_strategy' or 'strategy'"),
  TASK("the task dialect", "'max_retries' without 'backoff'"),
  LADDER("the ladder dialect", "an array of {count, delay_minutes}");

  private final String title;
  private final String recognizedBy;

  PolicyDialect(String title, String recognizedBy) {
    this.title = title;
    this.recognizedBy = recognizedBy;
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

  /** Returns all fields of all dialects, in every case. */
  static List<String> allFields() {
    return Arrays.stream(values()).flatMap(PolicyDialect::fields).distinct().toList();
  }

  /** Returns the field names to suggest for an unknown field; none if a dialect has the field. */
  static List<String> suggestionsFor(String name) {
    return dialectsWith(name).isEmpty() ? allFields() : List.of();
  }

  /** Describes how each dialect is recognized. */
  static String recognitionRules() {
    return Arrays.stream(values())
        .map(dialect -> "%s (recognized by %s)".formatted(dialect.title, dialect.recognizedBy))
        .collect(Collectors.joining(", "));
  }

  /** Returns the error message for a field that this dialect does not have. */
  String unknownFieldMessage(String name) {
    String dialects = dialectsWith(name);
    return dialects.isEmpty()
        ? "unknown field"
        : "belongs to %s; this is %s, recognized by %s".formatted(dialects, title, recognizedBy);
  }

  /** Returns the error message for a field of an object in no known dialect. */
  static String noDialectMessage(String name) {
    String dialects =
        Arrays.stream(values())
            .filter(dialect -> dialect.hasField(name))
            .map(dialect -> dialect.title + " (recognized by " + dialect.recognizedBy + ")")
            .collect(Collectors.joining(" and "));
    return dialects.isEmpty() ? "unknown field" : "belongs to " + dialects;
  }

  private static String dialectsWith(String name) {
    return Arrays.stream(values())
        .filter(dialect -> dialect.hasField(name))
        .map(dialect -> dialect.title)
        .collect(Collectors.joining(" and "));
  }

  private boolean hasField(String name) {
    return fields().anyMatch(name::equals);
  }
}
