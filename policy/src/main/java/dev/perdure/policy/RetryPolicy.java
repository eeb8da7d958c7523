// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when to try failed work again: pure data, immutable, safe to share.
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
 * @param maxRetries how often; 5 means at most 6 attempts
 * @param backoff how the delay grows
 * @param jitter how the delay is spread
 * @param maxDelay no computed delay is longer; 3650 days when absent
 * @param expiry when to stop, however many retries are left
 * @param retryOn failures to retry; empty in the policy that never retries, and only there
 * @param neverOn failures not to retry; wins unless {@code retryOn} names the failure more
 *     specifically
 * @param retryAfter what to do when a server says how long to wait
 * @param overrides what some failures change; the first that matches counts
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
    FieldErrors problems = new FieldErrors();
    // Nothing to retry, and nothing else said: so all policies that never retry are equal.
    boolean bare = maxDelay == null && neverOn.isEmpty() && overrides.isEmpty();
    boolean none =
        bare
            && maxRetries.equals(RetryLimit.none())
            && expiry.equals(Expiry.never())
            && isPlain(backoff, jitter, retryAfter);
    PolicyChecks.checkMatchers(problems, "retry_on", retryOn, !none);
    PolicyChecks.checkMatchers(problems, "never_on", neverOn, false);
    PolicyChecks.checkCombination(problems, backoff, jitter, maxDelay, overrides);
    problems.throwIfAny();
    retryOn = List.copyOf(retryOn);
    neverOn = List.copyOf(neverOn);
    overrides = List.copyOf(overrides);
  }

  private static boolean isPlain(Backoff backoff, Jitter jitter, RetryAfter retryAfter) {
    return backoff.equals(Backoff.immediate())
        && jitter.equals(Jitter.none())
        && retryAfter.equals(RetryAfter.DEFAULT);
  }

  /** The policy that never retries. */
  public static RetryPolicy none() {
    return NONE;
  }

  /** Retries without a wait. */
  public static RetryPolicyBuilder.Plain immediate() {
    return new RetryPolicyBuilder.Plain(Backoff::immediate);
  }

  /** The same delay each time. */
  public static RetryPolicyBuilder.Plain fixed(Duration delay) {
    return new RetryPolicyBuilder.Plain(() -> new Backoff.Fixed(delay));
  }

  /** Delays that grow by the same amount each time, by default by the first one. */
  public static RetryPolicyBuilder.Linear linear(Duration initial) {
    return new RetryPolicyBuilder.Linear(initial);
  }

  /** Delays that grow by a factor each time, by default 2. */
  public static RetryPolicyBuilder.Exponential exponential(Duration initial) {
    return new RetryPolicyBuilder.Exponential(initial);
  }

  /** These delays, one after the other, and then no more unless a limit is named. */
  public static RetryPolicyBuilder.Plain schedule(Duration... delays) {
    List<Duration> given = List.of(delays);
    return new RetryPolicyBuilder.Plain(() -> new Backoff.Schedule(given));
  }

  /** Steps of equal delays; they end the retries unless the last one goes on for ever. */
  public static RetryPolicyBuilder.Plain ladder(Backoff.Step... steps) {
    List<Backoff.Step> given = List.of(steps);
    return new RetryPolicyBuilder.Plain(() -> new Backoff.Ladder(given));
  }

  /** For calls of HTTP services: 4 retries, 2 s × 2^n ± 25 %, by status. */
  public static RetryPolicy http() {
    return Presets.HTTP;
  }

  /** For workers of a queue: 3 retries, 1 s × 2^n up to 60 s, ± 25 %. */
  public static RetryPolicy queue() {
    return Presets.QUEUE;
  }

  /** As {@link #queue()}, with another number of retries; 0 never retries. */
  public static RetryPolicy queue(int maxRetries) {
    return Presets.queue(RetryLimit.of(maxRetries));
  }

  /** As {@link #queue()}, without a limit. */
  public static RetryPolicy queueUnlimited() {
    return Presets.queue(RetryLimit.noLimit());
  }

  /** For errors that pass: 2 retries of IOException, TimeoutException and timeouts. */
  public static RetryPolicy transientErrors() {
    return Presets.TRANSIENT;
  }

  /** True for the policy that never retries. */
  public boolean isNone() {
    return retryOn.isEmpty();
  }

  /** True when this failure is one to retry, as long as retries and time are left. */
  public boolean isRetryable(Failure failure) {
    return !failure.permanent()
        && FailureMatcher.best(retryOn, failure) > FailureMatcher.best(neverOn, failure);
  }

  /** The answer to a failed attempt: the same for the same facts, failure and draws. */
  public Decision decide(DecisionContext decisionContext, Failure failure, RandomGenerator random) {
    return Decider.decide(this, decisionContext, failure, random);
  }

  /** What {@link #decide} can answer, whatever is drawn. */
  public DecisionPreview preview(DecisionContext decisionContext, Failure failure) {
    return Decider.preview(this, decisionContext, failure);
  }
}
