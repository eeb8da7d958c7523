// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Linter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A policy that was read from JSON, and the form that it is written in. */
public final class WrittenPolicy {

  /** No policy: nothing is retried. */
  public static final WrittenPolicy NONE =
      new WrittenPolicy(RetryPolicy.none(), PolicyDialect.CANONICAL, new PathTranslator());

  /** Finds the field that a fix sets, such as {@code "jitter": "full"}. */
  private static final Pattern SET_FIELD = Pattern.compile("\"([a-z_]+)\": ");

  /** The fields that have the same values in every dialect, though not the same name. */
  private static final Set<String> SAME_VALUES = Set.of("max_retries", "retry_on");

  private final RetryPolicy policy;
  private final PolicyDialect dialect;
  private final PathTranslator paths;

  WrittenPolicy(RetryPolicy policy, PolicyDialect dialect, PathTranslator paths) {
    this.policy = policy;
    this.dialect = dialect;
    this.paths = paths;
  }

  /** Reads a policy from text, as {@link PolicyJson#read(String)} does. */
  public static WrittenPolicy read(String text) {
    FieldErrors errors = new FieldErrors();
    return PolicyReader.read(StrictJsonParser.parse(text, errors), errors, null);
  }

  /** Reads a policy from a JSON value, as {@link PolicyJson#read(JsonNode)} does. */
  public static WrittenPolicy read(JsonNode json) {
    return PolicyReader.read(json, new FieldErrors(), null);
  }

  public RetryPolicy policy() {
    return policy;
  }

  /** Returns the name of the form: {@code canonical}, {@code task}, {@code strategy}, … */
  String dialectName() {
    return dialect.name().toLowerCase(Locale.ROOT);
  }

  /** Returns all warnings about the policy. Their fixes say so if they need the canonical form. */
  public LintReport lint(Linter.LintContext context) {
    List<Linter.Warning> warnings = Linter.lint(policy, context);
    if (dialect == PolicyDialect.CANONICAL) {
      return new LintReport(warnings, null);
    }
    boolean canonical = warnings.stream().anyMatch(warning -> !canFollow(warning.fix()));
    return new LintReport(
        warnings.stream().map(this::translate).toList(),
        canonical ? PolicyJson.write(policy) : null);
  }

  private Linter.Warning translate(Linter.Warning warning) {
    FieldError where = paths.translate(new FieldError(warning.path(), warning.message()));
    return new Linter.Warning(
        warning.id(), where.path(), where.message(), translate(warning.fix()));
  }

  private String translate(String fix) {
    Matcher set = SET_FIELD.matcher(fix);
    if (!set.find()) {
      return paths.translateText(fix);
    }
    return canFollow(fix)
        ? fix.replace(set.group(1), paths.nameOf(set.group(1)))
        : "%s; %s has no '%s': write the policy in the canonical form"
            .formatted(fix, dialect.title(), set.group(1));
  }

  /** Returns true if the fix sets no field, or one that this dialect has too. */
  private boolean canFollow(String fix) {
    Matcher set = SET_FIELD.matcher(fix);
    return !set.find()
        || (SAME_VALUES.contains(set.group(1)) && dialect.hasField(paths.nameOf(set.group(1))));
  }
}
