// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a policy knows about a failed attempt. A decision depends only on this context, the failure
 * and the random source.
 *
 * @param attempt the number of the failed attempt, counted from 0
 * @param age the time since the work first became due; required by policies with {@code
 *     expires_after}
 * @param now the time of the failure; required by policies with {@code expires_at}
 * @param previousDelay the delay before this attempt; used only by {@link Jitter.Decorrelated}
 */
public record DecisionContext(
    long attempt, @Nullable Duration age, @Nullable Instant now, @Nullable Duration previousDelay) {

  public DecisionContext {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt must be 0 or more, not " + attempt);
    }
  }

  /**
   * Creates a context with only the attempt number, which is enough for a policy that does not
   * expire. A policy that expires also needs {@link #withAge} or {@link #withNow}, and throws
   * without it.
   */
  public static DecisionContext attempt(long n) {
    return new DecisionContext(n, null, null, null);
  }

  /** Returns the age, or throws if it is missing. */
  Duration requireAge() {
    return require(age, "expires_after: set the age of the work with DecisionContext.withAge(…)");
  }

  /** Returns the current time, or throws if it is missing. */
  Instant requireNow() {
    return require(now, "expires_at: set the current time with DecisionContext.withNow(…)");
  }

  private static <T> T require(@Nullable T value, String message) {
    if (value == null) {
      throw new IllegalArgumentException("the policy has " + message);
    }
    return value;
  }

  public DecisionContext withAge(Duration value) {
    return new DecisionContext(attempt, value, now, previousDelay);
  }

  public DecisionContext withNow(Instant value) {
    return new DecisionContext(attempt, age, value, previousDelay);
  }

  public DecisionContext withPreviousDelay(@Nullable Duration value) {
    return new DecisionContext(attempt, age, now, value);
  }
}
