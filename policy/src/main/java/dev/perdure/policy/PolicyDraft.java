// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy in the making: holds what is known of it and fills in what is omitted. For whoever reads
 * policies from somewhere; to write one in Java, begin with {@link RetryPolicy#exponential} and its
 * siblings.
 */
public final class PolicyDraft {

  private @Nullable RetryLimit maxRetries;
  private @Nullable Backoff backoff;
  private @Nullable Jitter jitter = Jitter.DEFAULT;
  private @Nullable Duration maxDelay;
  private Expiry expiry = Expiry.never();
  private List<FailureMatcher> retryOn = List.of(FailureMatcher.any());
  private List<FailureMatcher> neverOn = List.of();
  private RetryAfter retryAfter = RetryAfter.DEFAULT;
  private List<PolicyOverride> overrides = List.of();

  /** A draft of nothing but defaults. */
  public PolicyDraft() {}

  /** A draft that begins as this policy. */
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

  public void expiry(Expiry value) {
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
   * The policy.
   *
   * @param fieldErrors what was found wrong while reading; what is wrong between the parts is added
   * @throws InvalidPolicyException with all of it, when there is anything
   */
  public RetryPolicy build(FieldErrors fieldErrors) {
    check(fieldErrors);
    fieldErrors.throwIfAny();
    if (backoff == null || jitter == null) {
      throw new IllegalStateException("a part is missing and nobody said so");
    }
    RetryLimit limit = maxRetries == null ? defaultLimit(backoff) : maxRetries;
    return new RetryPolicy(
        limit, backoff, jitter, maxDelay, expiry, retryOn, neverOn, retryAfter, overrides);
  }

  /** Adds what is wrong between the parts that are known. */
  public void check(FieldErrors fieldErrors) {
    PolicyChecks.checkMatchers(fieldErrors, "retry_on", retryOn, true);
    PolicyChecks.checkMatchers(fieldErrors, "never_on", neverOn, false);
    PolicyChecks.checkCombination(fieldErrors, backoff, jitter, maxDelay, overrides);
  }

  /** A ladder ends by its steps and a schedule by its delays; everything else after 3 retries. */
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
