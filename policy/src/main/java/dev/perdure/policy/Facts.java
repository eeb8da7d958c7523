// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known when an attempt has failed. A decision is a function of these facts, the failure
 * and the random source, and of nothing else.
 *
 * @param attempt the attempt that failed, counted from 0
 * @param age the time since the work first became due
 * @param now the instant of the failure; only an {@link Expiry.At} looks at it
 * @param previousDelay the delay before this attempt; only {@link Jitter.Decorrelated} looks at it
 */
public record Facts(long attempt, Duration age, Instant now, @Nullable Duration previousDelay) {

  public Facts {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt must be 0 or more, not " + attempt);
    }
    requireNonNull(age, "age");
    requireNonNull(now, "now");
  }

  /** Attempt n failed just when the work became due, at the epoch. */
  public static Facts attempt(long n) {
    return new Facts(n, Duration.ZERO, Instant.EPOCH, null);
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
