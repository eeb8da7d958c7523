// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The forms a policy can be written in, with the fields that each of them knows. */
enum Form {
  CANONICAL("the canonical form", "'backoff' or 'preset'"),
  STRATEGY("the strategy dialect", "'retry_strategy' or 'strategy'"),
  TASK("the task dialect", "'max_retries' without 'backoff'"),
  LADDER("the ladder dialect", "an array of {count, delay_minutes}");

  private final String title;
  private final String mark;

  Form(String title, String mark) {
    this.title = title;
    this.mark = mark;
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
              .flatMap(name -> Stream.of(name, Spelling.camel(name)));
      case TASK ->
          Stream.concat(TaskDialect.OWN_FIELDS.stream(), Stream.of("max_retries", "retry_on"));
      case LADDER -> Stream.of("count", "delay_minutes");
    };
  }

  /** Every field of every form, in every spelling. */
  static List<String> allFields() {
    return Arrays.stream(values()).flatMap(Form::fields).distinct().toList();
  }

  /** How each form is recognised. */
  static String marks() {
    return Arrays.stream(values())
        .map(form -> form.title + " by " + form.mark)
        .collect(Collectors.joining(", "));
  }

  /** What to say of a field that this form does not know. */
  String stranger(String name) {
    String owners = owners(name);
    return owners.isEmpty()
        ? "unknown field"
        : "belongs to %s; this is %s, recognised by %s".formatted(owners, title, mark);
  }

  /** What to say of a field of an object that is no form at all. */
  static String homeless(String name) {
    String owners =
        Arrays.stream(values())
            .filter(form -> form.knows(name))
            .map(form -> form.title + " (recognised by " + form.mark + ")")
            .collect(Collectors.joining(" and "));
    return owners.isEmpty() ? "unknown field" : "belongs to " + owners;
  }

  private static String owners(String name) {
    return Arrays.stream(values())
        .filter(form -> form.knows(name))
        .map(form -> form.title)
        .collect(Collectors.joining(" and "));
  }

  private boolean knows(String name) {
    return fields().anyMatch(name::equals);
  }
}
