// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Timeline;
import java.util.Optional;

/** Says which limit of a policy ends its retries. */
final class EndReasonText {

  private EndReasonText() {}

  static String describe(RetryPolicy policy, Failure failure, Timeline.End end) {
    return switch (end.reason()) {
      case NO_POLICY -> "the policy never retries";
      case NOT_RETRYABLE ->
          failure.permanent() ? "the failure is permanent" : "it does not retry this failure";
      case EXHAUSTED -> exhausted(policy, failure, end.attempt());
      case EXPIRED -> expired(policy.expiry());
    };
  }

  private static String exhausted(RetryPolicy policy, Failure failure, long attempt) {
    Optional<RetryLimit> ofOverride = overridden(policy, failure);
    RetryLimit limit = ofOverride.orElse(policy.maxRetries());
    if (limit.unlimited() || attempt < limit.retries()) {
      return "the ladder has ended";
    }
    String where = ofOverride.isPresent() ? "max_retries of the override" : "max_retries";
    return "%s is %s".formatted(where, NumberFormatting.count(limit.retries()));
  }

  private static Optional<RetryLimit> overridden(RetryPolicy policy, Failure failure) {
    return policy.overrides().stream()
        .filter(override -> override.on().stream().anyMatch(on -> on.matches(failure)))
        .findFirst()
        .map(PolicyOverride::maxRetries);
  }

  private static String expired(Expiry expiry) {
    return switch (expiry) {
      case Expiry.After after ->
          "without jitter the next retry would pass expires_after "
              + DurationText.format(after.age());
      case Expiry.At at ->
          "without jitter the next retry would pass expires_at " + InstantText.of(at.instant());
      case Expiry.Never never -> "the next retry would come too late";
    };
  }
}
