// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields that hold for a failure: the policy's own, or what an override makes of them. */
public record EffectivePolicy(
    RetryLimit maxRetries, Backoff backoff, Jitter jitter, @Nullable Duration maxDelay) {

  /** The policy's own fields. */
  public static EffectivePolicy of(RetryPolicy policy) {
    return new EffectivePolicy(
        policy.maxRetries(), policy.backoff(), policy.jitter(), policy.maxDelay());
  }

  /** The policy's own fields, but for those that the override names. */
  public static EffectivePolicy of(RetryPolicy policy, PolicyOverride override) {
    return new EffectivePolicy(
        override.maxRetries() != null ? override.maxRetries() : policy.maxRetries(),
        override.backoff() != null ? override.backoff() : policy.backoff(),
        override.jitter() != null ? override.jitter() : policy.jitter(),
        override.maxDelay() != null ? override.maxDelay() : policy.maxDelay());
  }

  /** The fields that hold for this failure: the first override that matches it counts. */
  public static EffectivePolicy of(RetryPolicy policy, Failure failure) {
    List<PolicyOverride> overrides = policy.overrides();
    for (int i = 0; i < overrides.size(); i++) {
      if (overrides.get(i).matches(failure)) {
        return of(policy, overrides.get(i));
      }
    }
    return of(policy);
  }

  /** True when nothing but an expiry ends the retries. */
  public boolean endless() {
    return maxRetries.unlimited()
        && !(backoff instanceof Backoff.Ladder ladder && !ladder.endless());
  }

  /** No computed delay is longer, in milliseconds. */
  long maxDelayMillis() {
    return maxDelay == null ? Millis.DEFAULT_MAX_DELAY : maxDelay.toMillis();
  }
}
