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
 * @param concerns whether an override names a field that matters here; only then is it warned of
 *     what the policy's own fields were already warned of
 */
record BranchRule(
    String id,
    Predicate<PolicyOverride> concerns,
    BiFunction<Branch, Linter.Use, Optional<Finding>> check) {

  /** All of them, in the order of the fields they are about. */
  static final List<BranchRule> ALL =
      List.of(
          new BranchRule(
              "unlimited-without-expiry",
              BranchRule::changesNumber,
              LengthRules::unlimitedWithoutExpiry),
          new BranchRule("amplification", BranchRule::changesNumber, LoadRules::amplification),
          new BranchRule(
              "immediate-retries",
              override -> override.backoff() != null,
              LoadRules::immediateRetries),
          new BranchRule(
              "outlives-idempotency-key",
              BranchRule::changesLength,
              LengthRules::outlivesIdempotencyKey),
          new BranchRule("no-jitter", override -> override.jitter() != null, LoadRules::noJitter),
          new BranchRule(
              "jitter-lost-at-cap",
              override ->
                  override.jitter() != null
                      || override.backoff() != null
                      || override.maxDelay() != null,
              LoadRules::jitterLostAtCap),
          new BranchRule(
              "schedule-longer-than-expiry",
              BranchRule::changesLength,
              LengthRules::longerThanExpiry));

  /** What a rule says of a branch. */
  record Finding(String path, String message, String fix) {}

  Optional<Linter.Warning> warn(Branch branch, Linter.Use use) {
    return check
        .apply(branch, use)
        .map(found -> new Linter.Warning(id, found.path(), found.message(), found.fix()));
  }

  private static boolean changesNumber(PolicyOverride override) {
    return override.maxRetries() != null || override.backoff() != null;
  }

  private static boolean changesLength(PolicyOverride override) {
    return changesNumber(override) || override.maxDelay() != null;
  }
}
