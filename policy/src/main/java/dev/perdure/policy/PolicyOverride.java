// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a policy changes for some failures. An override that sets no field is legal: the
 * policy's own fields apply to its failures, and later overrides are skipped.
 *
 * @param on the failures that the override applies to; one matching entry is enough
 * @param maxRetries the limit, compared with all attempts so far, whatever their failures were
 */
public record PolicyOverride(
    List<FailureMatcher> on,
    @Nullable RetryLimit maxRetries,
    @Nullable Backoff backoff,
    @Nullable Jitter jitter,
    @Nullable Duration maxDelay) {

  public PolicyOverride {
    FieldErrors errors = new FieldErrors();
    PolicyChecks.checkMatchers(errors, "on", on, true);
    if (maxDelay != null) {
      errors.requireDelay("max_delay", maxDelay);
    }
    errors.throwIfAny();
    on = List.copyOf(on);
  }

  /** Creates an override for these failures that changes nothing yet. */
  public static PolicyOverride on(FailureMatcher... matchers) {
    return new PolicyOverride(List.of(matchers), null, null, null, null);
  }

  public PolicyOverride withMaxRetries(int retries) {
    return new PolicyOverride(on, RetryLimit.of(retries), backoff, jitter, maxDelay);
  }

  public PolicyOverride withUnlimitedRetries() {
    return new PolicyOverride(on, RetryLimit.noLimit(), backoff, jitter, maxDelay);
  }

  public PolicyOverride withBackoff(Backoff value) {
    return new PolicyOverride(on, maxRetries, value, jitter, maxDelay);
  }

  public PolicyOverride withJitter(Jitter value) {
    return new PolicyOverride(on, maxRetries, backoff, value, maxDelay);
  }

  public PolicyOverride withMaxDelay(Duration value) {
    return new PolicyOverride(on, maxRetries, backoff, jitter, value);
  }

  /** Returns true if one of its matchers matches the failure. */
  public boolean matches(Failure failure) {
    return FailureMatcher.best(on, failure) > Specificity.NONE;
  }
}
