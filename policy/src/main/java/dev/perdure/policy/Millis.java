// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whole milliseconds in a {@code long}, saturating instead of overflowing. */
final class Millis {

  /** The longest delay of a policy without {@code max_delay}: 3650 days. */
  static final long DEFAULT_MAX_DELAY = Duration.ofDays(3650).toMillis();

  /** No duration of a policy is longer: a hundred years. Sums of two can therefore not overflow. */
  static final Duration MAX_DURATION = Duration.ofDays(36_500);

  /** In one millisecond. */
  private static final int NANOS_PER_MILLI = 1_000_000;

  private Millis() {}

  /**
   * A wait in milliseconds, cut to 0 … {@link #MAX_DURATION}; rounded up, never to end too early.
   */
  static long roundUp(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(MAX_DURATION) >= 0
        ? MAX_DURATION.toMillis()
        : duration.plusNanos(NANOS_PER_MILLI - 1).toMillis();
  }

  /**
   * The time left in milliseconds, at most {@link #MAX_DURATION}; rounded down, -1 when it is over.
   */
  static long remaining(Duration duration) {
    if (duration.isNegative()) {
      return -1;
    }
    return duration.compareTo(MAX_DURATION) >= 0 ? MAX_DURATION.toMillis() : duration.toMillis();
  }

  /** True when nothing of it is finer than a millisecond. */
  static boolean isWhole(Duration duration) {
    return duration.toNanosPart() % NANOS_PER_MILLI == 0;
  }

  /** What is wrong with a duration of a policy, if anything. */
  static Optional<String> errorIn(@Nullable Duration value) {
    if (value == null) {
      return Optional.of("is required");
    }
    if (value.isNegative() || value.isZero()) {
      return Optional.of("must be more than 0, not " + DurationText.format(value));
    }
    if (value.compareTo(MAX_DURATION) > 0) {
      return Optional.of("must be at most " + DurationText.format(MAX_DURATION));
    }
    if (!isWhole(value)) {
      return Optional.of("must be whole milliseconds, not " + value);
    }
    return Optional.empty();
  }
}
