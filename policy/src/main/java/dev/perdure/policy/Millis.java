// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whole milliseconds in a {@code long}, saturating instead of overflowing. */
final class Millis {

  /** The longest delay of a policy without {@code max_delay}: 3650 days. */
  static final long CEILING = Duration.ofDays(3650).toMillis();

  /** No duration of a policy is longer: a hundred years. Sums of two can therefore not overflow. */
  static final Duration LONGEST = Duration.ofDays(36_500);

  /** In one millisecond. */
  private static final int NANOS = 1_000_000;

  private Millis() {}

  /** A wait in milliseconds, cut to 0 … {@link #LONGEST}; rounded up, never to end too early. */
  static long toWait(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) >= 0
        ? LONGEST.toMillis()
        : duration.plusNanos(NANOS - 1).toMillis();
  }

  /** The time left in milliseconds, at most {@link #LONGEST}; rounded down, -1 when it is over. */
  static long left(Duration duration) {
    if (duration.isNegative()) {
      return -1;
    }
    return duration.compareTo(LONGEST) >= 0 ? LONGEST.toMillis() : duration.toMillis();
  }

  /** True when nothing of it is finer than a millisecond. */
  static boolean isWhole(Duration duration) {
    return duration.toNanosPart() % NANOS == 0;
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
