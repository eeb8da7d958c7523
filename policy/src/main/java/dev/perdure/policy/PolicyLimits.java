// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that an operator sets for policies. Library users have no limits unless they set them.
 *
 * @param maxRetries the maximum number of retries; unlimited retries require an expiry or an
 *     endless ladder
 * @param maxDelay the longest delay that a policy may set or reach
 */
public record PolicyLimits(int maxRetries, Duration maxDelay) {

  /** The default limits of a server: 1,000 retries and 90 days. */
  public static final PolicyLimits DEFAULT = new PolicyLimits(1_000, Duration.ofDays(90));

  /** Returns an error for everything in the policy that exceeds these limits. */
  public List<FieldError> check(RetryPolicy policy) {
    FieldErrors errors = new FieldErrors();
    EffectivePolicy own = EffectivePolicy.of(policy);
    checkRetries(errors, "max_retries", own.maxRetries());
    checkEnds(errors, "max_retries", own, policy.expiry());
    checkDelay(errors, "max_delay", own.maxDelay());
    checkRetryAfterCap(errors, policy.retryAfter());
    checkDelays(errors, "backoff", own.backoff());
    checkLongestDelay(errors, "backoff", own);
    for (int i = 0; i < policy.overrides().size(); i++) {
      checkOverride(errors, "overrides[" + i + "].", policy, policy.overrides().get(i));
    }
    return errors.list();
  }

  private void checkOverride(
      FieldErrors errors, String path, RetryPolicy policy, PolicyOverride override) {
    EffectivePolicy effective = EffectivePolicy.of(policy, override);
    if (override.maxRetries() != null) {
      checkRetries(errors, path + "max_retries", effective.maxRetries());
      checkEnds(errors, path + "max_retries", effective, policy.expiry());
    }
    checkDelay(errors, path + "max_delay", override.maxDelay());
    if (override.backoff() != null) {
      checkDelays(errors, path + "backoff", effective.backoff());
    }
    if (override.backoff() != null && override.maxRetries() == null) {
      checkEnds(errors, path + "backoff", effective, policy.expiry());
    }
    String grown = fieldThatLengthensDelays(override);
    if (grown != null) {
      checkLongestDelay(errors, path + grown, effective);
    }
  }

  /**
   * Returns the field of the override that may make delays longer than the policy's own, or null.
   */
  private static @Nullable String fieldThatLengthensDelays(PolicyOverride override) {
    if (override.backoff() != null) {
      return "backoff";
    }
    if (override.maxRetries() != null) {
      return "max_retries";
    }
    return override.jitter() != null ? "jitter" : null;
  }

  private void checkRetries(FieldErrors errors, String path, RetryLimit limit) {
    errors.require(
        limit.retries() <= maxRetries,
        path,
        "must be at most %d here, not %d".formatted(maxRetries, limit.retries()));
  }

  private static void checkEnds(
      FieldErrors errors, String path, EffectivePolicy effective, Expiry expiry) {
    errors.require(
        !effective.maxRetries().unlimited()
            || effective.backoff() instanceof Backoff.Ladder
            || !(expiry instanceof Expiry.Never),
        path,
        "unlimited retries need expires_after, expires_at or a ladder");
  }

  /** Checks only a cap that the policy sets and uses; the default cap is always allowed. */
  private void checkRetryAfterCap(FieldErrors errors, RetryAfter retryAfter) {
    if (retryAfter.honor() && !retryAfter.equals(RetryAfter.DEFAULT)) {
      checkDelay(errors, "retry_after.cap", retryAfter.cap());
    }
  }

  private void checkDelays(FieldErrors errors, String path, Backoff backoff) {
    switch (backoff) {
      case Backoff.Immediate immediate -> {}
      case Backoff.Fixed fixed -> checkDelay(errors, path + ".delay", fixed.delay());
      case Backoff.Exponential growing -> checkDelay(errors, path + ".initial", growing.initial());
      case Backoff.Linear linear -> {
        checkDelay(errors, path + ".initial", linear.initial());
        checkDelay(errors, path + ".increment", linear.increment());
      }
      case Backoff.Schedule schedule -> checkSchedule(errors, path, schedule);
      case Backoff.Ladder ladder -> checkLadder(errors, path, ladder);
    }
  }

  private void checkSchedule(FieldErrors errors, String path, Backoff.Schedule schedule) {
    for (int i = 0; i < schedule.delays().size(); i++) {
      checkDelay(errors, path + ".delays[" + i + "]", schedule.delays().get(i));
    }
  }

  private void checkLadder(FieldErrors errors, String path, Backoff.Ladder ladder) {
    for (int i = 0; i < ladder.steps().size(); i++) {
      checkDelay(errors, path + ".steps[" + i + "].delay", ladder.steps().get(i).delay());
    }
    long total = ladder.steps().stream().mapToLong(Backoff.Step::count).sum();
    errors.require(
        total <= maxRetries,
        path + ".steps",
        "must have at most %d retries in total here, not %d".formatted(maxRetries, total));
  }

  private void checkDelay(FieldErrors errors, String path, @Nullable Duration delay) {
    errors.require(
        delay == null || delay.compareTo(maxDelay) <= 0,
        path,
        "must be at most %s here".formatted(DurationText.format(maxDelay)));
  }

  /**
   * A short initial delay can grow beyond the limit. Then the policy must set {@code max_delay}.
   */
  private void checkLongestDelay(FieldErrors errors, String path, EffectivePolicy effective) {
    if (effective.maxDelay() != null
        || effective.maxRetries().equals(RetryLimit.none())
        || !(effective.backoff() instanceof Backoff.Growing growing)) {
      return;
    }
    long peak = longestDelayMillis(growing, effective.jitter(), effective.maxRetries());
    errors.require(
        peak <= maxDelay.toMillis(),
        path,
        "delays grow to %s: set max_delay to at most %s"
            .formatted(
                DurationText.format(Duration.ofMillis(peak)), DurationText.format(maxDelay)));
  }

  /**
   * Returns the longest delay. Decorrelated delays can triple each time, however slowly the backoff
   * grows.
   */
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
