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
    check(PolicyDraft.from(policy)).forEach(errors::add);
    checkGrowth(errors, policy);
    return errors.list();
  }

  /**
   * Returns an error for every field of the draft that exceeds these limits. Fields that are
   * missing are not checked, and neither are delays that only grow beyond the limits; see {@link
   * #cut}.
   */
  public List<FieldError> check(PolicyDraft draft) {
    FieldErrors errors = new FieldErrors();
    checkRetries(errors, "max_retries", draft.maxRetries);
    checkEnds(errors, "max_retries", draft.maxRetries, draft.backoff, draft.expiry);
    checkDelay(errors, "max_delay", draft.maxDelay);
    if (isLimited(draft.retryAfter)) {
      checkDelay(errors, "retry_after.cap", draft.retryAfter.cap());
    }
    checkDelays(errors, "backoff", draft.backoff);
    for (int i = 0; i < draft.overrides.size(); i++) {
      checkOverride(errors, "overrides[" + i + "].", draft, draft.overrides.get(i));
    }
    return errors.list();
  }

  private void checkOverride(
      FieldErrors errors, String path, PolicyDraft draft, PolicyOverride override) {
    RetryLimit limit = override.maxRetries();
    Backoff backoff = override.backoff();
    checkRetries(errors, path + "max_retries", limit);
    checkDelay(errors, path + "max_delay", override.maxDelay());
    checkDelays(errors, path + "backoff", backoff);
    if (limit != null || backoff != null) {
      checkEnds(
          errors,
          path + (limit != null ? "max_retries" : "backoff"),
          limit != null ? limit : draft.maxRetries,
          backoff != null ? backoff : draft.backoff,
          draft.expiry);
    }
  }

  /**
   * Returns the policy with its defaults cut to these limits. Use it when {@link
   * #check(PolicyDraft)} allows every field that the author has set: whatever exceeds the limits is
   * then a default. A {@code max_delay} is not cut below the first delay.
   */
  public RetryPolicy cut(RetryPolicy policy) {
    FieldErrors growth = new FieldErrors();
    checkGrowth(growth, policy);
    boolean cutsDelay = growth.count() > 0 || exceeds(policy.maxDelay());
    boolean cutsCap = isLimited(policy.retryAfter()) && exceeds(policy.retryAfter().cap());
    boolean cutsRetries = policy.maxRetries().retries() > maxRetries;
    PolicyDraft draft = PolicyDraft.from(policy);
    draft.maxDelay(cutsDelay ? maxDelay : policy.maxDelay());
    draft.retryAfter(cutsCap ? RetryAfter.honored(maxDelay) : policy.retryAfter());
    draft.maxRetries(cutsRetries ? RetryLimit.of(maxRetries) : policy.maxRetries());
    FieldErrors errors = new FieldErrors();
    draft.check(errors);
    return errors.count() == 0 ? draft.build(errors) : policy;
  }

  /**
   * A short initial delay can grow beyond the limit. Then the policy must set {@code max_delay}.
   */
  private void checkGrowth(FieldErrors errors, RetryPolicy policy) {
    checkLongestDelay(errors, "backoff", EffectivePolicy.of(policy));
    for (int i = 0; i < policy.overrides().size(); i++) {
      PolicyOverride override = policy.overrides().get(i);
      String grown = fieldThatLengthensDelays(override);
      if (grown != null) {
        checkLongestDelay(
            errors, "overrides[" + i + "]." + grown, EffectivePolicy.of(policy, override));
      }
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

  private void checkRetries(FieldErrors errors, String path, @Nullable RetryLimit limit) {
    if (limit != null && limit.retries() > maxRetries) {
      errors.add(path, "must be at most %d here, not %d".formatted(maxRetries, limit.retries()));
    }
  }

  private static void checkEnds(
      FieldErrors errors,
      String path,
      @Nullable RetryLimit limit,
      @Nullable Backoff backoff,
      @Nullable Expiry expiry) {
    boolean endless =
        limit != null
            && limit.unlimited()
            && backoff != null
            && !(backoff instanceof Backoff.Ladder)
            && expiry instanceof Expiry.Never;
    errors.require(!endless, path, "unlimited retries need expires_after, expires_at or a ladder");
  }

  /** Only a cap that the policy sets and uses is limited; the default cap is always allowed. */
  private static boolean isLimited(RetryAfter retryAfter) {
    return retryAfter.honor() && !retryAfter.equals(RetryAfter.DEFAULT);
  }

  private void checkDelays(FieldErrors errors, String path, @Nullable Backoff backoff) {
    switch (backoff) {
      case null -> {}
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
    if (exceeds(delay)) {
      errors.add(path, "must be at most %s here".formatted(DurationText.format(maxDelay)));
    }
  }

  private boolean exceeds(@Nullable Duration delay) {
    return delay != null && delay.compareTo(maxDelay) > 0;
  }

  private void checkLongestDelay(FieldErrors errors, String path, EffectivePolicy effective) {
    if (effective.maxDelay() != null
        || effective.maxRetries().equals(RetryLimit.none())
        || !(effective.backoff() instanceof Backoff.Growing growing)) {
      return;
    }
    long peak = longestDelayMillis(growing, effective.jitter(), effective.maxRetries());
    if (peak > maxDelay.toMillis()) {
      errors.add(
          path,
          "delays grow to %s: set max_delay to at most %s"
              .formatted(
                  DurationText.format(Duration.ofMillis(peak)), DurationText.format(maxDelay)));
    }
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
