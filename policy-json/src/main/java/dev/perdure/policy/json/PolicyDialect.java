// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The forms a policy can be written in, with the fields that each of them knows. */
enum PolicyDialect {
  CANONICAL("the canonical form", "'backoff' or 'preset'"),
  STRATEGY("the strategy dialect", "'retry_strategy' or 'strategy'"),
  TASK("the task dialect", "'max_retries' without 'backoff'"),
  LADDER("the ladder dialect", "an array of {count, delay_minutes}");

  private final String title;
  private final String recognizedBy;

  PolicyDialect(String title, String mark) {
    this.title = title;
    this.recognizedBy = mark;
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

  /** Every field of every form, in every spelling. */
  static List<String> allFields() {
    return Arrays.stream(values()).flatMap(PolicyDialect::fields).distinct().toList();
  }

  /** What a field that no form knows may be meant for: every field there is. */
  static List<String> suggestionsFor(String name) {
    return dialectsWith(name).isEmpty() ? allFields() : List.of();
  }

  /** How each form is recognised. */
  static String recognitionRules() {
    return Arrays.stream(values())
        .map(policyDialect -> policyDialect.title + " by " + policyDialect.recognizedBy)
        .collect(Collectors.joining(", "));
  }

  /** What to say of a field that this form does not know. */
  String unknownFieldMessage(String name) {
    String owners = dialectsWith(name);
    return owners.isEmpty()
        ? "unknown field"
        : "belongs to %s; this is %s, recognised by %s".formatted(owners, title, recognizedBy);
  }

  /** What to say of a field of an object that is no form at all. */
  static String noDialectMessage(String name) {
    String owners =
        Arrays.stream(values())
            .filter(policyDialect -> policyDialect.knows(name))
            .map(
                policyDialect ->
                    policyDialect.title + " (recognised by " + policyDialect.recognizedBy + ")")
            .collect(Collectors.joining(" and "));
    return owners.isEmpty() ? "unknown field" : "belongs to " + owners;
  }

  private static String dialectsWith(String name) {
    return Arrays.stream(values())
        .filter(policyDialect -> policyDialect.knows(name))
        .map(policyDialect -> policyDialect.title)
        .collect(Collectors.joining(" and "));
  }

  private boolean knows(String name) {
    return fields().anyMatch(name::equals);
  }
}
