// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Lengths and instants as the columns can hold them. */
public final class SqlTimes {

  private static final Duration MAX_DURATION = Duration.ofDays(100 * 365L);
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private SqlTimes() {}

  /** In milliseconds, rounded up so that nothing comes early; a hundred years at most. */
  public static long toMillis(Duration length) {
    Duration bounded = length.compareTo(MAX_DURATION) > 0 ? MAX_DURATION : length;
    return bounded.plusNanos(999_999).toMillis();
  }

  /** The same, or null. */
  public static @Nullable Long toMillisOrNull(@Nullable Duration length) {
    return length == null ? null : toMillis(length);
  }

  /** The instant, moved into the years 1 to 9999. */
  public static Instant clamp(Instant instant) {
    if (instant.isBefore(EARLIEST)) {
      return EARLIEST;
    }
    return instant.isAfter(LATEST) ? LATEST : instant;
  }
}
