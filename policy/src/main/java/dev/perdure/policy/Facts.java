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
public record Facts(
    long attempt, @Nullable Duration age, @Nullable Instant now, @Nullable Duration previousDelay) {

  public Facts {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt must be 0 or more, not " + attempt);
    }
  }

  /**
   * Attempt n failed, and nothing else is known: enough for a policy that does not expire. One that
   * does asks for {@link #withAge} or {@link #withNow}, and throws without.
   */
  public static Facts attempt(long n) {
    return new Facts(n, null, null, null);
  }

  /** The age, for a policy that cannot decide without. */
  Duration knownAge() {
    return known(age, "expires_after: say how old the work is, Facts.withAge(…)");
  }

  /** The instant, for a policy that cannot decide without. */
  Instant knownNow() {
    return known(now, "expires_at: say what time it is, Facts.withNow(…)");
  }

  private static <T> T known(@Nullable T fact, String need) {
    if (fact == null) {
      throw new IllegalArgumentException("the policy has " + need);
    }
    return fact;
  }

  public Facts withAge(Duration value) {
    return new Facts(attempt, value, now, previousDelay);
  }

  public Facts withNow(Instant value) {
    return new Facts(attempt, age, value, previousDelay);
  }

  public Facts withPreviousDelay(@Nullable Duration value) {
    return new Facts(attempt, age, now, value);
  }
}
