// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An incomplete policy. It collects fields one by one and fills in the defaults for those that are
 * missing.
 *
 * <p>Use it when you read policies from another format. To write a policy in Java, start with
 * {@link RetryPolicy#exponential} and its siblings.
 */
public final class PolicyDraft {

  @Nullable RetryLimit maxRetries;
  @Nullable Backoff backoff;
  @Nullable Jitter jitter = Jitter.DEFAULT;
  @Nullable Duration maxDelay;
  @Nullable Expiry expiry = Expiry.never();
  RetryAfter retryAfter = RetryAfter.DEFAULT;
  List<PolicyOverride> overrides = List.of();
  private List<FailureMatcher> retryOn = List.of(FailureMatcher.any());
  private List<FailureMatcher> neverOn = List.of();

  /** Creates a draft in which every field has its default. */
  public PolicyDraft() {}

  /** Creates a draft with the fields of an existing policy. */
  public static PolicyDraft from(RetryPolicy policy) {
    PolicyDraft draft = new PolicyDraft();
    draft.maxRetries = policy.maxRetries();
    draft.backoff = policy.backoff();
    draft.jitter = policy.jitter();
    draft.maxDelay = policy.maxDelay();
    draft.expiry = policy.expiry();
    draft.retryOn = policy.retryOn();
    draft.neverOn = policy.neverOn();
    draft.retryAfter = policy.retryAfter();
    draft.overrides = policy.overrides();
    return draft;
  }

  public void maxRetries(@Nullable RetryLimit value) {
    maxRetries = value;
  }

  public void backoff(@Nullable Backoff value) {
    backoff = value;
  }

  public void jitter(@Nullable Jitter value) {
    jitter = value;
  }

  public void maxDelay(@Nullable Duration value) {
    maxDelay = value;
  }

  /** Sets the expiry; null if there is one, but it cannot be read. */
  public void expiry(@Nullable Expiry value) {
    expiry = value;
  }

  public void retryOn(List<FailureMatcher> value) {
    retryOn = List.copyOf(value);
  }

  public void neverOn(List<FailureMatcher> value) {
    neverOn = List.copyOf(value);
  }

  public void retryAfter(RetryAfter value) {
    retryAfter = value;
  }

  public void overrides(List<PolicyOverride> value) {
    overrides = List.copyOf(value);
  }

  /**
   * Builds the policy.
   *
   * @param errors the errors found while reading; errors in the combination of fields are added
   * @throws InvalidPolicyException with all of these errors, if there are any
   */
  public RetryPolicy build(FieldErrors errors) {
    check(errors);
    errors.throwIfAny();
    if (backoff == null || jitter == null || expiry == null) {
      throw new IllegalStateException(
          "backoff, jitter or expiry is missing, but no error was reported");
    }
    RetryLimit limit = maxRetries == null ? defaultLimit(backoff) : maxRetries;
    return new RetryPolicy(
        limit, backoff, jitter, maxDelay, expiry, retryOn, neverOn, retryAfter, overrides);
  }

  /** Adds the errors in the combination of the fields that are set. */
  public void check(FieldErrors errors) {
    PolicyChecks.checkMatchers(errors, "retry_on", retryOn, true);
    PolicyChecks.checkMatchers(errors, "never_on", neverOn, false);
    PolicyChecks.checkCombination(errors, backoff, jitter, maxDelay, overrides);
  }

  /**
   * A ladder ends with its steps and a schedule with its delays; all other backoffs end after 3
   * retries.
   */
  private static RetryLimit defaultLimit(Backoff backoff) {
    return switch (backoff) {
      case Backoff.Ladder ladder -> RetryLimit.noLimit();
      case Backoff.Schedule schedule -> RetryLimit.of(schedule.delays().size());
      case Backoff.Immediate immediate -> RetryLimit.DEFAULT;
      case Backoff.Fixed fixed -> RetryLimit.DEFAULT;
      case Backoff.Growing growing -> RetryLimit.DEFAULT;
    };
  }
}
