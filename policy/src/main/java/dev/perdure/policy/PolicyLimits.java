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
  public List<Problem> check(RetryPolicy policy) {
    Problems problems = new Problems();
    retries(problems, "max_retries", policy.maxRetries());
    ends(problems, "max_retries", policy.maxRetries(), policy.backoff(), policy.expiry());
    delay(problems, "max_delay", policy.maxDelay());
    hint(problems, policy.retryAfter());
    delays(problems, "backoff", policy.backoff());
    peak(
        problems,
        "backoff",
        policy.maxRetries(),
        policy.backoff(),
        policy.jitter(),
        policy.maxDelay());
    for (int i = 0; i < policy.overrides().size(); i++) {
      override(problems, "overrides[" + i + "].", policy, policy.overrides().get(i));
    }
    return problems.found();
  }

  private void override(
      Problems problems, String path, RetryPolicy policy, PolicyOverride override) {
    RetryLimit limit = override.maxRetries() == null ? policy.maxRetries() : override.maxRetries();
    Backoff backoff = override.backoff() == null ? policy.backoff() : override.backoff();
    Jitter jitter = override.jitter() == null ? policy.jitter() : override.jitter();
    Duration cap = override.maxDelay() == null ? policy.maxDelay() : override.maxDelay();
    if (override.maxRetries() != null) {
      retries(problems, path + "max_retries", limit);
      ends(problems, path + "max_retries", limit, backoff, policy.expiry());
    }
    delay(problems, path + "max_delay", override.maxDelay());
    if (override.backoff() != null) {
      delays(problems, path + "backoff", backoff);
    }
    if (override.backoff() != null && override.maxRetries() == null) {
      ends(problems, path + "backoff", limit, backoff, policy.expiry());
    }
    String grown = grown(override);
    if (grown != null) {
      peak(problems, path + grown, limit, backoff, jitter, cap);
    }
  }

  /** The field of an override that may make the delays grow further than the policy's. */
  private static @Nullable String grown(PolicyOverride override) {
    if (override.backoff() != null) {
      return "backoff";
    }
    if (override.maxRetries() != null) {
      return "max_retries";
    }
    return override.jitter() != null ? "jitter" : null;
  }

  private void retries(Problems problems, String path, RetryLimit limit) {
    problems.require(
        limit.retries() <= maxRetries,
        path,
        "%d is more than the %d allowed here".formatted(limit.retries(), maxRetries));
  }

  private static void ends(
      Problems problems, String path, RetryLimit limit, Backoff backoff, Expiry expiry) {
    problems.require(
        !limit.unlimited()
            || backoff instanceof Backoff.Ladder
            || !(expiry instanceof Expiry.Never),
        path,
        "unlimited retries need expires_after, expires_at or a ladder");
  }

  /** A cap that the policy names; nobody is blamed for the default, nor for what is ignored. */
  private void hint(Problems problems, RetryAfter retryAfter) {
    if (retryAfter.honor() && !retryAfter.equals(RetryAfter.DEFAULT)) {
      delay(problems, "retry_after.cap", retryAfter.cap());
    }
  }

  private void delays(Problems problems, String path, Backoff backoff) {
    switch (backoff) {
      case Backoff.Immediate immediate -> {}
      case Backoff.Fixed fixed -> delay(problems, path + ".delay", fixed.delay());
      case Backoff.Exponential growing -> delay(problems, path + ".initial", growing.initial());
      case Backoff.Linear linear -> {
        delay(problems, path + ".initial", linear.initial());
        delay(problems, path + ".increment", linear.increment());
      }
      case Backoff.Schedule schedule -> entries(problems, path, schedule);
      case Backoff.Ladder ladder -> steps(problems, path, ladder);
    }
  }

  private void entries(Problems problems, String path, Backoff.Schedule schedule) {
    for (int i = 0; i < schedule.delays().size(); i++) {
      delay(problems, path + ".delays[" + i + "]", schedule.delays().get(i));
    }
  }

  private void steps(Problems problems, String path, Backoff.Ladder ladder) {
    for (int i = 0; i < ladder.steps().size(); i++) {
      delay(problems, path + ".steps[" + i + "].delay", ladder.steps().get(i).delay());
    }
    long total = ladder.steps().stream().mapToLong(Backoff.Step::count).sum();
    problems.require(
        total <= maxRetries,
        path + ".steps",
        "%d retries are more than the %d allowed here".formatted(total, maxRetries));
  }

  private void delay(Problems problems, String path, @Nullable Duration delay) {
    problems.require(
        delay == null || delay.compareTo(maxDelay) <= 0,
        path,
        "must be at most %s here".formatted(DurationText.format(maxDelay)));
  }

  /** A short first delay may grow past what is allowed: then the policy must say where it stops. */
  private void peak(
      Problems problems,
      String path,
      RetryLimit limit,
      Backoff backoff,
      Jitter jitter,
      @Nullable Duration cap) {
    if (cap != null
        || limit.equals(RetryLimit.none())
        || !(backoff instanceof Backoff.Growing growing)) {
      return;
    }
    long peak = peakMillis(growing, jitter, limit);
    problems.require(
        peak <= maxDelay.toMillis(),
        path,
        "grows to %s: set max_delay to at most %s"
            .formatted(
                DurationText.format(Duration.ofMillis(peak)), DurationText.format(maxDelay)));
  }

  /** The last delay; decorrelated ones can triple each time, however slowly the backoff grows. */
  private static long peakMillis(Backoff.Growing backoff, Jitter jitter, RetryLimit limit) {
    long retries = limit.unlimited() ? Long.MAX_VALUE : limit.retries();
    return jitter instanceof Jitter.Decorrelated
        ? Growth.millis(
            Backoff.exponential(backoff.initial(), Span.GROWTH_OF_DECORRELATED),
            retries,
            Millis.CEILING)
        : Growth.millis(backoff, retries - 1, Millis.CEILING);
  }
}
