// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields that apply to one failure: those of the policy, with the changes of an override. */
public record EffectivePolicy(
    RetryLimit maxRetries, Backoff backoff, Jitter jitter, @Nullable Duration maxDelay) {

  /** Returns the fields of the policy itself, without overrides. */
  public static EffectivePolicy of(RetryPolicy policy) {
    return new EffectivePolicy(
        policy.maxRetries(), policy.backoff(), policy.jitter(), policy.maxDelay());
  }

  /** Returns the fields of the policy with those that the override sets replaced. */
  public static EffectivePolicy of(RetryPolicy policy, PolicyOverride override) {
    return new EffectivePolicy(
        override.maxRetries() != null ? override.maxRetries() : policy.maxRetries(),
        override.backoff() != null ? override.backoff() : policy.backoff(),
        override.jitter() != null ? override.jitter() : policy.jitter(),
        override.maxDelay() != null ? override.maxDelay() : policy.maxDelay());
  }

  /** Returns the fields that apply to this failure. The first override that matches it applies. */
  public static EffectivePolicy of(RetryPolicy policy, Failure failure) {
    List<PolicyOverride> overrides = policy.overrides();
    for (int i = 0; i < overrides.size(); i++) {
      if (overrides.get(i).matches(failure)) {
        return of(policy, overrides.get(i));
      }
    }
    return of(policy);
  }

  /** Returns true if only an expiry ends the retries. */
  public boolean endless() {
    return maxRetries.unlimited()
        && !(backoff instanceof Backoff.Ladder ladder && !ladder.endless());
  }

  /** Returns the upper limit of computed delays in milliseconds. */
  long maxDelayMillis() {
    return maxDelay == null ? Millis.DEFAULT_MAX_DELAY : maxDelay.toMillis();
  }
}
