// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a policy does differently for some failures: the fields that are set replace the policy's.
 * With none set, the failures are treated as usual and later overrides do not see them.
 *
 * @param on the failures; any of the matchers is enough
 * @param maxRetries compared with all attempts so far, of whatever failure
 */
public record PolicyOverride(
    List<FailureMatcher> on,
    @Nullable RetryLimit maxRetries,
    @Nullable Backoff backoff,
    @Nullable Jitter jitter,
    @Nullable Duration maxDelay) {

  public PolicyOverride {
    FieldErrors problems = new FieldErrors();
    PolicyChecks.checkMatchers(problems, "on", on, true);
    if (maxDelay != null) {
      problems.requireDelay("max_delay", maxDelay);
    }
    problems.throwIfAny();
    on = List.copyOf(on);
  }

  /** An override for these failures that changes nothing yet. */
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

  boolean matches(Failure failure) {
    return FailureMatcher.best(on, failure) > Specificity.NONE;
  }
}
