// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The fields that hold for a failure: the policy's own, or what an override makes of them. */
record Ruling(RetryLimit maxRetries, Backoff backoff, Jitter jitter, @Nullable Duration maxDelay) {

  static Ruling of(RetryPolicy policy) {
    return new Ruling(policy.maxRetries(), policy.backoff(), policy.jitter(), policy.maxDelay());
  }

  static Ruling of(RetryPolicy policy, PolicyOverride override) {
    Ruling own = of(policy);
    return new Ruling(
        override.maxRetries() != null ? override.maxRetries() : own.maxRetries,
        override.backoff() != null ? override.backoff() : own.backoff,
        override.jitter() != null ? override.jitter() : own.jitter,
        override.maxDelay() != null ? override.maxDelay() : own.maxDelay);
  }

  static Ruling of(RetryPolicy policy, Failure failure) {
    for (PolicyOverride override : policy.overrides()) {
      if (override.on().stream().anyMatch(matcher -> matcher.matches(failure))) {
        return of(policy, override);
      }
    }
    return of(policy);
  }

  /** True when nothing but an expiry ends the retries. */
  boolean endless() {
    return maxRetries.unlimited()
        && !(backoff instanceof Backoff.Ladder ladder && !ladder.endless());
  }
}
