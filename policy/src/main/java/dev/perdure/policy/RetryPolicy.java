// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Immutable data that says whether and when to retry failed work. Safe to share between threads.
 *
 * <pre>{@code
 * RetryPolicy.exponential(ofSeconds(1))
 *     .multiplier(2)
 *     .maxDelay(ofMinutes(5))
 *     .maxRetries(5)
 *     .jitter(spread(0.25))
 *     .retryOn(status(429), serverErrors())
 *     .build();
 * }</pre>
 *
 * @param maxRetries the maximum number of retries; 5 means at most 6 attempts
 * @param backoff how the delay grows
 * @param jitter how the delay is randomised
 * @param maxDelay the upper limit of computed delays; 3650 days when absent
 * @param expiry when to stop, however many retries are left
 * @param retryOn the failures to retry; empty only in the policy that never retries
 * @param neverOn the failures not to retry; wins unless {@code retryOn} matches the failure more
 *     specifically
 * @param retryAfter what to do when a server asks for a delay
 * @param overrides fields that change for some failures; the first override that matches applies
 */
public record RetryPolicy(
    RetryLimit maxRetries,
    Backoff backoff,
    Jitter jitter,
    @Nullable Duration maxDelay,
    Expiry expiry,
    List<FailureMatcher> retryOn,
    List<FailureMatcher> neverOn,
    RetryAfter retryAfter,
    List<PolicyOverride> overrides) {

  private static final RetryPolicy NONE =
      new RetryPolicy(
          RetryLimit.none(),
          Backoff.immediate(),
          Jitter.none(),
          null,
          Expiry.never(),
          List.of(),
          List.of(),
          RetryAfter.DEFAULT,
          List.of());

  public RetryPolicy {
    requireNonNull(maxRetries, "maxRetries");
    requireNonNull(backoff, "backoff");
    requireNonNull(jitter, "jitter");
    requireNonNull(expiry, "expiry");
    requireNonNull(retryAfter, "retryAfter");
    FieldErrors errors = new FieldErrors();
    // An empty retry_on is legal only when every other field has its default, so that all policies
    // that never retry are equal.
    boolean bare = maxDelay == null && neverOn.isEmpty() && overrides.isEmpty();
    boolean none =
        bare
            && maxRetries.equals(RetryLimit.none())
            && expiry.equals(Expiry.never())
            && hasNoneDefaults(backoff, jitter, retryAfter);
    PolicyChecks.checkMatchers(errors, "retry_on", retryOn, !none);
    PolicyChecks.checkMatchers(errors, "never_on", neverOn, false);
    PolicyChecks.checkCombination(errors, backoff, jitter, maxDelay, overrides);
    errors.throwIfAny();
    retryOn = List.copyOf(retryOn);
    neverOn = List.copyOf(neverOn);
    overrides = List.copyOf(overrides);
  }

  private static boolean hasNoneDefaults(Backoff backoff, Jitter jitter, RetryAfter retryAfter) {
    return backoff.equals(Backoff.immediate())
        && jitter.equals(Jitter.none())
        && retryAfter.equals(RetryAfter.DEFAULT);
  }

  /** Returns the policy that never retries. */
  public static RetryPolicy none() {
    return NONE;
  }

  /** Starts a policy that retries without a delay. */
  public static RetryPolicyBuilder.Plain immediate() {
    return new RetryPolicyBuilder.Plain(Backoff::immediate);
  }

  /** Starts a policy that waits the same delay before every retry. */
  public static RetryPolicyBuilder.Plain fixed(Duration delay) {
    return new RetryPolicyBuilder.Plain(() -> new Backoff.Fixed(delay));
  }

  /** Starts a policy whose delay grows by a constant increment, {@code initial} unless set. */
  public static RetryPolicyBuilder.Linear linear(Duration initial) {
    return new RetryPolicyBuilder.Linear(initial);
  }

  /** Starts a policy whose delay grows by a constant factor, 2 unless set. */
  public static RetryPolicyBuilder.Exponential exponential(Duration initial) {
    return new RetryPolicyBuilder.Exponential(initial);
  }

  /**
   * Starts a policy with a list of delays. It gives up after the last one unless you set {@code
   * maxRetries}.
   */
  public static RetryPolicyBuilder.Plain schedule(Duration... delays) {
    List<Duration> given = List.of(delays);
    return new RetryPolicyBuilder.Plain(() -> new Backoff.Schedule(given));
  }

  /**
   * Starts a policy with steps of equal delays. It gives up after the last step unless that step is
   * endless.
   */
  public static RetryPolicyBuilder.Plain ladder(Backoff.Step... steps) {
    List<Backoff.Step> given = List.of(steps);
    return new RetryPolicyBuilder.Plain(() -> new Backoff.Ladder(given));
  }

  /** Returns the preset for HTTP calls: 4 retries, 2 s × 2^n ± 25 %, with rules by status. */
  public static RetryPolicy http() {
    return Presets.HTTP;
  }

  /** Returns the preset for queue workers: 3 retries, 1 s × 2^n up to 60 s, ± 25 %. */
  public static RetryPolicy queue() {
    return Presets.QUEUE;
  }

  /** Returns {@link #queue()} with a different number of retries; 0 never retries. */
  public static RetryPolicy queue(int maxRetries) {
    return Presets.queue(RetryLimit.of(maxRetries));
  }

  /** Returns {@link #queue()} without a limit on retries. */
  public static RetryPolicy queueUnlimited() {
    return Presets.queue(RetryLimit.noLimit());
  }

  /**
   * Returns the preset for transient errors: 2 retries of IOException, TimeoutException and
   * timeouts.
   */
  public static RetryPolicy transientErrors() {
    return Presets.TRANSIENT;
  }

  /** Returns true for the policy that never retries. */
  public boolean isNone() {
    return retryOn.isEmpty();
  }

  /** Returns true if the policy retries this failure while retries and time are left. */
  public boolean isRetryable(Failure failure) {
    return !failure.permanent()
        && FailureMatcher.best(retryOn, failure) > FailureMatcher.best(neverOn, failure);
  }

  /** Decides what happens after a failed attempt. The result depends only on the arguments. */
  public Decision decide(DecisionContext context, Failure failure, RandomGenerator random) {
    return Decider.decide(this, context, failure, random);
  }

  /**
   * Returns the range of results that {@link #decide} can produce, without drawing a random number.
   */
  public DecisionPreview preview(DecisionContext context, Failure failure) {
    return Decider.preview(this, context, failure);
  }
}
