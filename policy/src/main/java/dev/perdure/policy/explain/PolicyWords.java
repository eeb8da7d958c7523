// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationWords;
import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says in English how often and when a policy retries: {@code 5 retries every 5 minutes, then every
 * hour until canceled}. Delays are those before jitter.
 */
public final class PolicyWords {

  private static final int MAX_DELAYS = 12;
  private static final int MAX_MULTIPLIER_DECIMALS = 3;

  private final RetryLimit limit;
  private final Backoff backoff;
  private final @Nullable Duration maxDelay;
  private final Expiry expiry;

  private PolicyWords(EffectivePolicy policy, Expiry expiry) {
    this.limit = policy.maxRetries();
    this.backoff = policy.backoff();
    this.maxDelay = policy.maxDelay();
    this.expiry = expiry;
  }

  /** Describes a policy. Overrides are only mentioned. */
  public static String of(RetryPolicy policy) {
    String words = of(EffectivePolicy.of(policy), policy.expiry());
    return policy.overrides().isEmpty() ? words : words + "; some failures have their own rules";
  }

  /** Describes a policy as it applies to some failures. */
  public static String of(EffectivePolicy policy, Expiry expiry) {
    return new PolicyWords(policy, expiry).sentence();
  }

  private String sentence() {
    if (!limit.unlimited() && limit.retries() == 0) {
      return "no retries";
    }
    return switch (backoff) {
      case Backoff.Immediate immediate -> repeated("without delay");
      case Backoff.Fixed fixed -> regular(fixed.delay());
      case Backoff.Linear linear ->
          growing(linear.initial(), DurationWords.of(linear.increment()) + " longer");
      case Backoff.Exponential exponential ->
          exponential.multiplier() == 1
              ? regular(exponential.initial())
              : growing(exponential.initial(), times(exponential.multiplier()) + " as long");
      case Backoff.Schedule schedule -> schedule(schedule.delays());
      case Backoff.Ladder ladder -> ladder(ladder.steps());
    };
  }

  private String regular(Duration delay) {
    Duration capped = capped(delay);
    return repeated(single() ? after(capped) : DurationWords.every(capped));
  }

  /** "up to 3 retries every 5 seconds", "retries every 5 seconds until canceled". */
  private String repeated(String when) {
    return retries() + " " + when + end(limit.unlimited());
  }

  private String growing(Duration initial, String growth) {
    String first = after(capped(initial));
    if (single()) {
      return repeated(first);
    }
    String cap = maxDelay == null ? "" : ", at most " + DurationWords.of(maxDelay);
    String delays = "%s, then %s each time%s".formatted(first, growth, cap);
    return limit.unlimited()
        ? retries() + end(true) + ", " + delays
        : retries() + ", " + delays + end(false);
  }

  private String schedule(List<Duration> delays) {
    int used = limit.unlimited() ? delays.size() : Math.min(limit.retries(), delays.size());
    boolean repeats = limit.unlimited() || limit.retries() > delays.size();
    if (used == 1) {
      return regular(delays.getFirst());
    }
    int listed = repeats ? used - 1 : used;
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < Math.min(listed, MAX_DELAYS); i++) {
      parts.add(DurationWords.of(capped(delays.get(i))));
    }
    if (listed > MAX_DELAYS) {
      parts.add((listed - MAX_DELAYS) + " more delays");
    }
    if (repeats) {
      parts.add(DurationWords.every(capped(delays.getLast())));
    }
    String separator = limit.unlimited() ? " after " : ", after ";
    return retries() + separator + String.join(", then ", parts) + end(limit.unlimited());
  }

  private String ladder(List<Backoff.Step> steps) {
    List<String> parts = new ArrayList<>();
    long left = limit.unlimited() ? Long.MAX_VALUE : limit.retries();
    for (int i = 0; i < steps.size() && left > 0; i++) {
      Backoff.Step step = steps.get(i);
      boolean endless = step.endless() && limit.unlimited();
      long count = step.endless() ? left : Math.min(left, step.count());
      parts.add(step(endless ? 0 : count, capped(step.delay()), i == 0));
      left -= count;
    }
    return String.join(", then ", parts) + end(limit.unlimited() && steps.getLast().endless());
  }

  /** A step of a ladder; 0 retries for a step that never ends. */
  private static String step(long count, Duration delay, boolean first) {
    if (count == 0) {
      return (first ? "retries " : "") + DurationWords.every(delay);
    }
    String number = first ? retries(count) : NumberText.of(count);
    return number + " " + (count == 1 ? after(delay) : DurationWords.every(delay));
  }

  /** What ends the retries, other than their number. */
  private String end(boolean endless) {
    String comma = endless ? " " : ", ";
    return switch (expiry) {
      case Expiry.Never never -> endless ? " until canceled" : "";
      case Expiry.After after -> comma + "for at most " + DurationWords.of(after.age());
      case Expiry.At at ->
          comma + (endless ? "until " : "not after ") + InstantText.of(at.instant());
    };
  }

  private String retries() {
    if (limit.unlimited()) {
      return "retries";
    }
    return single() ? retries(1) : "up to " + retries(limit.retries());
  }

  private static String retries(long count) {
    return NumberText.of(count) + (count == 1 ? " retry" : " retries");
  }

  private boolean single() {
    return !limit.unlimited() && limit.retries() == 1;
  }

  private static String after(Duration delay) {
    return "after " + DurationWords.of(delay);
  }

  private static String times(double multiplier) {
    return multiplier == 2
        ? "twice"
        : BigDecimal.valueOf(multiplier)
                .setScale(MAX_MULTIPLIER_DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString()
            + " times";
  }

  private Duration capped(Duration delay) {
    return maxDelay != null && maxDelay.compareTo(delay) < 0 ? maxDelay : delay;
  }
}
