// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whole milliseconds in a {@code long}, saturating instead of overflowing. */
final class Millis {

  /** The longest delay of a policy without {@code max_delay}: 3650 days. */
  static final long CEILING = Duration.ofDays(3650).toMillis();

  /** No duration of a policy is longer: a hundred years. Sums of two can therefore not overflow. */
  static final Duration LONGEST = Duration.ofDays(36_500);

  private Millis() {}

  /** The milliseconds in it, cut to 0 … {@link #LONGEST}. */
  static long saturated(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) >= 0 ? LONGEST.toMillis() : duration.toMillis();
  }

  /** The milliseconds from one instant to the other; negative when that one is past. */
  static long between(Instant from, Instant to) {
    try {
      return from.until(to, ChronoUnit.MILLIS);
    } catch (ArithmeticException e) {
      return to.isBefore(from) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** True when nothing of it is finer than a millisecond. */
  static boolean isWhole(Duration duration) {
    return duration.truncatedTo(ChronoUnit.MILLIS).equals(duration);
  }

  /** What is wrong with a duration of a policy, if anything. */
  static Optional<String> problemOf(@Nullable Duration value) {
    if (value == null) {
      return Optional.of("is required");
    }
    if (value.isNegative() || value.isZero()) {
      return Optional.of("must be more than 0, not " + DurationText.format(value));
    }
    if (value.compareTo(LONGEST) > 0) {
      return Optional.of("must be at most " + DurationText.format(LONGEST));
    }
    if (!isWhole(value)) {
      return Optional.of("must be whole milliseconds, not " + value);
    }
    return Optional.empty();
  }
}
