// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known when an attempt has failed. A decision is a function of these facts, the failure
 * and the random source, and of nothing else.
 *
 * @param attempt the attempt that failed, counted from 0
 * @param age the time since the work first became due; a policy that expires after a while needs it
 * @param now the instant of the failure; a policy that expires at an instant needs it
 * @param previousDelay the delay before this attempt; only {@link Jitter.Decorrelated} looks at it
 */
public record DecisionContext(
    long attempt, @Nullable Duration age, @Nullable Instant now, @Nullable Duration previousDelay) {

  public DecisionContext {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt must be 0 or more, not " + attempt);
    }
  }

  /**
   * Attempt n failed, and nothing else is known: enough for a policy that does not expire. One that
   * does asks for {@link #withAge} or {@link #withNow}, and throws without.
   */
  public static DecisionContext attempt(long n) {
    return new DecisionContext(n, null, null, null);
  }

  /** The age, for a policy that cannot decide without. */
  Duration requireAge() {
    return require(age, "expires_after: say how old the work is, Facts.withAge(…)");
  }

  /** The instant, for a policy that cannot decide without. */
  Instant requireNow() {
    return require(now, "expires_at: say what time it is, Facts.withNow(…)");
  }

  private static <T> T require(@Nullable T fact, String need) {
    if (fact == null) {
      throw new IllegalArgumentException("the policy has " + need);
    }
    return fact;
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
