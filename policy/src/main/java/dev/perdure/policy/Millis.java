// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts durations to whole milliseconds, saturating instead of overflowing. */
final class Millis {

  /** The upper limit of delays when the policy has no {@code max_delay}: 3650 days. */
  static final long DEFAULT_MAX_DELAY = Duration.ofDays(3650).toMillis();

  /** The longest duration in a policy: 100 years. The sum of two cannot overflow. */
  static final Duration MAX_DURATION = Duration.ofDays(36_500);

  private static final int NANOS_PER_MILLI = 1_000_000;

  private Millis() {}

  /**
   * Returns a delay in milliseconds, between 0 and {@link #MAX_DURATION}. It is rounded up, so that
   * a wait never ends too early.
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
   * Returns the remaining time in milliseconds, at most {@link #MAX_DURATION}, rounded down; -1 if
   * it is negative.
   */
  static long remaining(Duration duration) {
    if (duration.isNegative()) {
      return -1;
    }
    return duration.compareTo(MAX_DURATION) >= 0 ? MAX_DURATION.toMillis() : duration.toMillis();
  }

  /** Returns true if the duration has no fraction of a millisecond. */
  static boolean isWhole(Duration duration) {
    return duration.toNanosPart() % NANOS_PER_MILLI == 0;
  }

  /** Returns the error message for an invalid duration, or empty if it is valid. */
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
