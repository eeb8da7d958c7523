// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How much a limit allows.
 *
 * @param max how many tasks, items or starts
 * @param per the period that a rate counts in; null for the other types
 * @param burst how many starts of a rate may come at once; 1 for the other types
 */
public record LimitRule(LimitType type, long max, @Nullable Duration per, int burst) {

  /** The largest maximum. */
  public static final long MAX = 1_000_000_000;

  /** The longest period of a rate. */
  public static final Duration MAX_PERIOD = Duration.ofDays(366);

  public LimitRule {
    if (max < 1 || max > MAX) {
      throw new IllegalArgumentException("limit: must be 1 to " + MAX + ", not " + max);
    }
    if ((type == LimitType.RATE) != (per != null)) {
      throw new IllegalArgumentException("per: must be set for a rate, and only for a rate");
    }
    if (per != null && (per.toMillis() < 1 || per.compareTo(MAX_PERIOD) > 0)) {
      throw new IllegalArgumentException("per: must be 1 ms to 366 days, not " + per);
    }
    if (burst < 1 || burst > max || (per == null && burst > 1)) {
      throw new IllegalArgumentException(
          "burst: must be 1 to the number of starts of a rate, not " + burst);
    }
  }

  /**
   * The distance between two starts of a rate. It is rounded up to the microseconds that PostgreSQL
   * keeps, so that there is never a start too many. SQLite rounds the next start up to
   * milliseconds.
   */
  public Duration distance() {
    if (per == null) {
      throw new IllegalStateException("only a rate has a distance between starts");
    }
    return Duration.of(Math.ceilDiv(per.toNanos() / 1_000, max), ChronoUnit.MICROS);
  }

  public static LimitRule concurrency(long max) {
    return new LimitRule(LimitType.CONCURRENCY, max, null, 1);
  }

  public static LimitRule capacity(long max) {
    return new LimitRule(LimitType.CAPACITY, max, null, 1);
  }

  public static LimitRule rate(long starts, Duration per, int burst) {
    return new LimitRule(LimitType.RATE, starts, per, burst);
  }
}
