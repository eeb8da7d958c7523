// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.PolicyOverride;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * A check of one policy variant.
 *
 * @param appliesTo whether an override sets a field that matters to this rule. If the base policy
 *     already has this warning, only such an override is warned again
 */
record LintRule(
    String id,
    Predicate<PolicyOverride> appliesTo,
    BiFunction<PolicyVariant, Linter.LintContext, Optional<Finding>> check) {

  /** All rules, in the order of the fields that they are about. */
  static final List<LintRule> ALL =
      List.of(
          new LintRule(
              "unlimited-without-expiry",
              LintRule::changesRetryCount,
              DurationRules::unlimitedWithoutExpiry),
          new LintRule("amplification", LintRule::changesRetryCount, LoadRules::amplification),
          new LintRule(
              "immediate-retries",
              override -> override.backoff() != null,
              LoadRules::immediateRetries),
          new LintRule(
              "outlives-idempotency-key",
              LintRule::changesDuration,
              DurationRules::outlivesIdempotencyKey),
          new LintRule("no-jitter", override -> override.jitter() != null, LoadRules::noJitter),
          new LintRule(
              "jitter-lost-at-cap",
              override ->
                  override.jitter() != null
                      || override.backoff() != null
                      || override.maxDelay() != null,
              LoadRules::jitterLostAtCap),
          new LintRule(
              "schedule-longer-than-expiry",
              LintRule::changesDuration,
              DurationRules::longerThanExpiry));

  /** The result of a rule that found something. */
  record Finding(String path, String message, String fix) {}

  Optional<Linter.Warning> warn(PolicyVariant variant, Linter.LintContext context) {
    return check
        .apply(variant, context)
        .map(finding -> new Linter.Warning(id, finding.path(), finding.message(), finding.fix()));
  }

  private static boolean changesRetryCount(PolicyOverride override) {
    return override.maxRetries() != null || override.backoff() != null;
  }

  private static boolean changesDuration(PolicyOverride override) {
    return changesRetryCount(override) || override.maxDelay() != null;
  }
}
