// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.Ruling;
import dev.perdure.policy.explain.BranchRule.Finding;
import java.time.Duration;
import java.util.Optional;

/** Warnings about how long the retries go on. */
final class LengthRules {

  private LengthRules() {}

  static Optional<Finding> unlimitedWithoutExpiry(Branch branch, Linter.Use use) {
    if (!branch.endless()) {
      return Optional.empty();
    }
    boolean ladder = branch.ruling().backoff() instanceof Backoff.Ladder;
    return Optional.of(
        new Finding(
            branch.path(ladder ? "backoff.steps" : "max_retries"),
            "work that can never succeed is tried again for ever, and such work only piles up",
            ladder
                ? "write an expiry such as \"expires_after\": \"14d\", or give the last step a count"
                : "write an expiry such as \"expires_after\": \"14d\", or a number of retries"));
  }

  static Optional<Finding> outlivesIdempotencyKey(Branch branch, Linter.Use use) {
    if (!use.idempotencyKey()) {
      return Optional.empty();
    }
    Duration lasts = branch.timeline().total().latest();
    if (branch.timeline().end() == null && branch.expiry() instanceof Expiry.After after) {
      lasts = after.age();
    }
    if (!branch.endless() && lasts.compareTo(use.keyLifetime()) <= 0) {
      return Optional.empty();
    }
    String lifetime = DurationText.format(use.keyLifetime());
    return Optional.of(
        new Finding(
            branch.path("backoff"),
            "the last retry may come %s after the first attempt, but the server forgets the idempotency key after %s: the work may be done twice"
                .formatted(
                    branch.endless() ? "any length of time" : DurationText.format(lasts), lifetime),
            "write \"expires_after\": \"%s\" or less, or fewer retries".formatted(lifetime)));
  }

  /** An endless branch is ended by its expiry on purpose; a limited one ends before its limit. */
  static Optional<Finding> longerThanExpiry(Branch branch, Linter.Use use) {
    if (!(branch.expiry() instanceof Expiry.After after)
        || branch.ruling().endless()
        || branch.timeline().end() != GiveUpReason.EXPIRED) {
      return Optional.empty();
    }
    String expiry = DurationText.format(after.age());
    return Optional.of(
        new Finding(
            branch.place().isEmpty() ? "expires_after" : branch.place(),
            "without jitter only %s of %s retries fit: the next would pass expires_after %s"
                .formatted(
                    NumberText.of(branch.timeline().retries()),
                    NumberText.of(retriesWithoutExpiry(branch.ruling())),
                    expiry),
            "write a longer expires_after than %s, or fewer retries, such as \"max_retries\": %d"
                .formatted(expiry, branch.timeline().retries())));
  }

  private static long retriesWithoutExpiry(Ruling ruling) {
    long limit = ruling.maxRetries().unlimited() ? Long.MAX_VALUE : ruling.maxRetries().retries();
    if (ruling.backoff() instanceof Backoff.Ladder ladder && !ladder.endless()) {
      long steps = ladder.steps().stream().mapToLong(Backoff.Step::count).sum();
      return Math.min(limit, steps);
    }
    return limit;
  }
}
