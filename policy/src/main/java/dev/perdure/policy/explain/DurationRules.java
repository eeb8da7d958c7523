// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.explain.LintRule.Finding;
import java.time.Duration;
import java.util.Optional;

/** Warnings about how long the retries go on. */
final class DurationRules {

  private DurationRules() {}

  static Optional<Finding> unlimitedWithoutExpiry(
      PolicyVariant policyVariant, Linter.LintContext lintContext) {
    if (!policyVariant.endless()) {
      return Optional.empty();
    }
    boolean ladder = policyVariant.effectivePolicy().backoff() instanceof Backoff.Ladder;
    return Optional.of(
        new Finding(
            policyVariant.path(ladder ? "backoff.steps" : "max_retries"),
            "work that can never succeed is tried again for ever, and such work only piles up",
            ladder
                ? "write an expiry such as \"expires_after\": \"14d\", or give the last step a count"
                : "write an expiry such as \"expires_after\": \"14d\", or a number of retries"));
  }

  static Optional<Finding> outlivesIdempotencyKey(
      PolicyVariant policyVariant, Linter.LintContext lintContext) {
    if (!lintContext.idempotencyKey()) {
      return Optional.empty();
    }
    Duration lasts = policyVariant.timeline().total().latest();
    if (policyVariant.timeline().end() == null
        && policyVariant.expiry() instanceof Expiry.After after) {
      lasts = after.age();
    }
    if (!policyVariant.endless() && lasts.compareTo(lintContext.keyLifetime()) <= 0) {
      return Optional.empty();
    }
    String lifetime = DurationText.format(lintContext.keyLifetime());
    return Optional.of(
        new Finding(
            policyVariant.path("backoff"),
            "the last retry may come %s after the first attempt, but the server forgets the idempotency key after %s: the work may be done twice"
                .formatted(
                    policyVariant.endless() ? "any length of time" : DurationText.format(lasts),
                    lifetime),
            "write \"expires_after\": \"%s\" or less, or fewer retries".formatted(lifetime)));
  }

  /** An endless branch is ended by its expiry on purpose; a limited one ends before its limit. */
  static Optional<Finding> longerThanExpiry(
      PolicyVariant policyVariant, Linter.LintContext lintContext) {
    if (!(policyVariant.expiry() instanceof Expiry.After after)
        || policyVariant.effectivePolicy().endless()
        || policyVariant.timeline().end() != GiveUpReason.EXPIRED) {
      return Optional.empty();
    }
    String expiry = DurationText.format(after.age());
    return Optional.of(
        new Finding(
            policyVariant.pathPrefix().isEmpty() ? "expires_after" : policyVariant.pathPrefix(),
            "without jitter only %s of %s retries fit: the next would pass expires_after %s"
                .formatted(
                    NumberText.of(policyVariant.timeline().retries()),
                    NumberText.of(retriesWithoutExpiry(policyVariant.effectivePolicy())),
                    expiry),
            "write a longer expires_after than %s, or fewer retries, such as \"max_retries\": %d"
                .formatted(expiry, policyVariant.timeline().retries())));
  }

  private static long retriesWithoutExpiry(EffectivePolicy effectivePolicy) {
    long limit =
        effectivePolicy.maxRetries().unlimited()
            ? Long.MAX_VALUE
            : effectivePolicy.maxRetries().retries();
    if (effectivePolicy.backoff() instanceof Backoff.Ladder ladder && !ladder.endless()) {
      long steps = ladder.steps().stream().mapToLong(Backoff.Step::count).sum();
      return Math.min(limit, steps);
    }
    return limit;
  }
}
