// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts durations and instants to values that the columns can hold. */
public final class SqlTimes {

  private static final Duration MAX_DURATION = Duration.ofDays(100 * 365L);
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private SqlTimes() {}

  /**
   * Converts to milliseconds, rounded up so that nothing happens early, and limited to 100 years.
   */
  public static long toMillis(Duration duration) {
    Duration bounded = duration.compareTo(MAX_DURATION) > 0 ? MAX_DURATION : duration;
    return bounded.plusNanos(999_999).toMillis();
  }

  /** Converts as {@link #toMillis} does, or returns null for null. */
  public static @Nullable Long toMillisOrNull(@Nullable Duration duration) {
    return duration == null ? null : toMillis(duration);
  }

  /** Limits an instant to the years 1 to 9999. */
  public static Instant clamp(Instant instant) {
    if (instant.isBefore(EARLIEST)) {
      return EARLIEST;
    }
    return instant.isAfter(LATEST) ? LATEST : instant;
  }
}
