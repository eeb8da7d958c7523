// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operator allows the policies of others. A library user has no limits.
 *
 * @param maxRetries the most retries; unlimited ones need an expiry or an endless ladder
 * @param maxDelay the longest delay that a policy may name or reach
 */
public record PolicyLimits(int maxRetries, Duration maxDelay) {

  /** What a server allows unless it is configured otherwise: 1,000 retries, 90 days. */
  public static final PolicyLimits DEFAULT = new PolicyLimits(1_000, Duration.ofDays(90));

  /** Everything in the policy that goes beyond these limits. */
  public List<FieldError> check(RetryPolicy policy) {
    FieldErrors fieldErrors = new FieldErrors();
    EffectivePolicy own = EffectivePolicy.of(policy);
    checkRetries(fieldErrors, "max_retries", own.maxRetries());
    checkEnds(fieldErrors, "max_retries", own, policy.expiry());
    checkDelay(fieldErrors, "max_delay", own.maxDelay());
    checkRetryAfterCap(fieldErrors, policy.retryAfter());
    checkDelays(fieldErrors, "backoff", own.backoff());
    checkLongestDelay(fieldErrors, "backoff", own);
    for (int i = 0; i < policy.overrides().size(); i++) {
      checkOverride(fieldErrors, "overrides[" + i + "].", policy, policy.overrides().get(i));
    }
    return fieldErrors.list();
  }

  private void checkOverride(
      FieldErrors fieldErrors, String path, RetryPolicy policy, PolicyOverride override) {
    EffectivePolicy effectivePolicy = EffectivePolicy.of(policy, override);
    if (override.maxRetries() != null) {
      checkRetries(fieldErrors, path + "max_retries", effectivePolicy.maxRetries());
      checkEnds(fieldErrors, path + "max_retries", effectivePolicy, policy.expiry());
    }
    checkDelay(fieldErrors, path + "max_delay", override.maxDelay());
    if (override.backoff() != null) {
      checkDelays(fieldErrors, path + "backoff", effectivePolicy.backoff());
    }
    if (override.backoff() != null && override.maxRetries() == null) {
      checkEnds(fieldErrors, path + "backoff", effectivePolicy, policy.expiry());
    }
    String grown = fieldThatLengthensDelays(override);
    if (grown != null) {
      checkLongestDelay(fieldErrors, path + grown, effectivePolicy);
    }
  }

  /** The field of an override that may make the delays grow further than the policy's. */
  private static @Nullable String fieldThatLengthensDelays(PolicyOverride override) {
    if (override.backoff() != null) {
      return "backoff";
    }
    if (override.maxRetries() != null) {
      return "max_retries";
    }
    return override.jitter() != null ? "jitter" : null;
  }

  private void checkRetries(FieldErrors fieldErrors, String path, RetryLimit limit) {
    fieldErrors.require(
        limit.retries() <= maxRetries,
        path,
        "%d is more than the %d allowed here".formatted(limit.retries(), maxRetries));
  }

  private static void checkEnds(
      FieldErrors fieldErrors, String path, EffectivePolicy effectivePolicy, Expiry expiry) {
    fieldErrors.require(
        !effectivePolicy.maxRetries().unlimited()
            || effectivePolicy.backoff() instanceof Backoff.Ladder
            || !(expiry instanceof Expiry.Never),
        path,
        "unlimited retries need expires_after, expires_at or a ladder");
  }

  /** A cap that the policy names; nobody is blamed for the default, nor for what is ignored. */
  private void checkRetryAfterCap(FieldErrors fieldErrors, RetryAfter retryAfter) {
    if (retryAfter.honor() && !retryAfter.equals(RetryAfter.DEFAULT)) {
      checkDelay(fieldErrors, "retry_after.cap", retryAfter.cap());
    }
  }

  private void checkDelays(FieldErrors fieldErrors, String path, Backoff backoff) {
    switch (backoff) {
      case Backoff.Immediate immediate -> {}
      case Backoff.Fixed fixed -> checkDelay(fieldErrors, path + ".delay", fixed.delay());
      case Backoff.Exponential growing ->
          checkDelay(fieldErrors, path + ".initial", growing.initial());
      case Backoff.Linear linear -> {
        checkDelay(fieldErrors, path + ".initial", linear.initial());
        checkDelay(fieldErrors, path + ".increment", linear.increment());
      }
      case Backoff.Schedule schedule -> checkSchedule(fieldErrors, path, schedule);
      case Backoff.Ladder ladder -> checkLadder(fieldErrors, path, ladder);
    }
  }

  private void checkSchedule(FieldErrors fieldErrors, String path, Backoff.Schedule schedule) {
    for (int i = 0; i < schedule.delays().size(); i++) {
      checkDelay(fieldErrors, path + ".delays[" + i + "]", schedule.delays().get(i));
    }
  }

  private void checkLadder(FieldErrors fieldErrors, String path, Backoff.Ladder ladder) {
    for (int i = 0; i < ladder.steps().size(); i++) {
      checkDelay(fieldErrors, path + ".steps[" + i + "].delay", ladder.steps().get(i).delay());
    }
    long total = ladder.steps().stream().mapToLong(Backoff.Step::count).sum();
    fieldErrors.require(
        total <= maxRetries,
        path + ".steps",
        "%d retries are more than the %d allowed here".formatted(total, maxRetries));
  }

  private void checkDelay(FieldErrors fieldErrors, String path, @Nullable Duration delay) {
    fieldErrors.require(
        delay == null || delay.compareTo(maxDelay) <= 0,
        path,
        "must be at most %s here".formatted(DurationText.format(maxDelay)));
  }

  /** A short first delay may grow past what is allowed: then the policy must say where it stops. */
  private void checkLongestDelay(
      FieldErrors fieldErrors, String path, EffectivePolicy effectivePolicy) {
    if (effectivePolicy.maxDelay() != null
        || effectivePolicy.maxRetries().equals(RetryLimit.none())
        || !(effectivePolicy.backoff() instanceof Backoff.Growing growing)) {
      return;
    }
    long peak = longestDelayMillis(growing, effectivePolicy.jitter(), effectivePolicy.maxRetries());
    fieldErrors.require(
        peak <= maxDelay.toMillis(),
        path,
        "grows to %s: set max_delay to at most %s"
            .formatted(
                DurationText.format(Duration.ofMillis(peak)), DurationText.format(maxDelay)));
  }

  /** The last delay; decorrelated ones can triple each time, however slowly the backoff grows. */
  private static long longestDelayMillis(Backoff.Growing backoff, Jitter jitter, RetryLimit limit) {
    long retries = limit.unlimited() ? Long.MAX_VALUE : limit.retries();
    return jitter instanceof Jitter.Decorrelated
        ? BackoffMath.baseDelayMillis(
            Backoff.exponential(backoff.initial(), JitterRange.DECORRELATED_MULTIPLIER),
            retries,
            Millis.DEFAULT_MAX_DELAY)
        : BackoffMath.baseDelayMillis(backoff, retries - 1, Millis.DEFAULT_MAX_DELAY);
  }
}
