// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.PolicyOverride;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * A check of one branch.
 *
 * @param appliesTo whether an override names a field that matters here; only then is it warned of
 *     what the policy's own fields were already warned of
 */
record LintRule(
    String id,
    Predicate<PolicyOverride> appliesTo,
    BiFunction<PolicyVariant, Linter.LintContext, Optional<Finding>> check) {

  /** All of them, in the order of the fields they are about. */
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

  /** What a rule says of a branch. */
  record Finding(String path, String message, String fix) {}

  Optional<Linter.Warning> warn(PolicyVariant policyVariant, Linter.LintContext lintContext) {
    return check
        .apply(policyVariant, lintContext)
        .map(found -> new Linter.Warning(id, found.path(), found.message(), found.fix()));
  }

  private static boolean changesRetryCount(PolicyOverride override) {
    return override.maxRetries() != null || override.backoff() != null;
  }

  private static boolean changesDuration(PolicyOverride override) {
    return changesRetryCount(override) || override.maxDelay() != null;
  }
}
