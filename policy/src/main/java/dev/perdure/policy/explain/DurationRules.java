// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.LintRule.Finding;
import java.time.Duration;
import java.util.Optional;

/** Rules about how long the retries last. */
final class DurationRules {

  private DurationRules() {}

  static Optional<Finding> unlimitedWithoutExpiry(
      PolicyVariant variant, Linter.LintContext context) {
    if (!variant.endless()) {
      return Optional.empty();
    }
    boolean ladder = variant.effectivePolicy().backoff() instanceof Backoff.Ladder;
    return Optional.of(
        new Finding(
            variant.path(ladder ? "backoff.steps" : "max_retries"),
            "work that can never succeed is retried forever and piles up",
            ladder
                ? "set an expiry such as \"expires_after\": \"14d\", or give the last step a count"
                : "set an expiry such as \"expires_after\": \"14d\", or a number of retries"));
  }

  static Optional<Finding> outlivesIdempotencyKey(
      PolicyVariant variant, Linter.LintContext context) {
    if (!context.idempotencyKey()) {
      return Optional.empty();
    }
    Duration lasts = variant.timeline().total().latest();
    if (variant.timeline().end() == null && variant.expiry() instanceof Expiry.After after) {
      lasts = after.age();
    }
    if (!variant.endless() && lasts.compareTo(context.keyLifetime()) <= 0) {
      return Optional.empty();
    }
    String lifetime = DurationText.format(context.keyLifetime());
    return Optional.of(
        new Finding(
            variant.path("backoff"),
            "%s, but the server forgets the idempotency key after %s: the work may be done twice"
                .formatted(
                    variant.endless()
                        ? "the retries never end"
                        : "the last retry may start %s after the first attempt"
                            .formatted(DurationText.format(lasts)),
                    lifetime),
            "set \"expires_after\": \"%s\" or less, or fewer retries".formatted(lifetime)));
  }

  /**
   * Skips endless variants: an expiry is meant to end them. A limited variant should reach its
   * limit.
   */
  static Optional<Finding> longerThanExpiry(PolicyVariant variant, Linter.LintContext context) {
    if (!(variant.expiry() instanceof Expiry.After after)
        || variant.effectivePolicy().endless()
        || variant.timeline().end() != GiveUpReason.EXPIRED) {
      return Optional.empty();
    }
    String expiry = DurationText.format(after.age());
    return Optional.of(
        new Finding(
            variant.pathPrefix().isEmpty() ? "expires_after" : variant.pathPrefix(),
            "without jitter, only %s of %s retries fit into expires_after %s"
                .formatted(
                    NumberText.of(variant.timeline().retries()),
                    NumberText.of(retriesWithoutExpiry(variant.effectivePolicy())),
                    expiry),
            "set expires_after to more than %s, or fewer retries, such as \"max_retries\": %d"
                .formatted(expiry, variant.timeline().retries())));
  }

  /** Checks {@code expires_at}, which holds for the policy and all its overrides. */
  static Optional<Linter.Warning> expired(RetryPolicy policy, Linter.LintContext context) {
    if (context.now() == null
        || !(policy.expiry() instanceof Expiry.At at)
        || at.instant().isAfter(context.now())) {
      return Optional.empty();
    }
    return Optional.of(
        new Linter.Warning(
            "expired",
            "expires_at",
            "%s is in the past: nothing is retried".formatted(InstantText.of(at.instant())),
            "set a later expires_at"));
  }

  private static long retriesWithoutExpiry(EffectivePolicy effective) {
    long limit =
        effective.maxRetries().unlimited() ? Long.MAX_VALUE : effective.maxRetries().retries();
    if (effective.backoff() instanceof Backoff.Ladder ladder && !ladder.endless()) {
      long steps = ladder.steps().stream().mapToLong(Backoff.Step::count).sum();
      return Math.min(limit, steps);
    }
    return limit;
  }
}
