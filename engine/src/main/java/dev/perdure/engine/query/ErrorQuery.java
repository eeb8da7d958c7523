// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which errors to group.
 *
 * @param retries false for failed tasks, true for those that wait for a retry
 * @param since how far back: only tasks that failed in this time before now
 * @param kind only this kind; null means any
 * @param byKind one group per kind instead of one per error
 */
public record ErrorQuery(boolean retries, Duration since, @Nullable String kind, boolean byKind) {

  /** Maximum number of groups; those that failed last come first. */
  public static final int MAX_GROUPS = 100;

  /** Maximum number of combinations of an error and a kind that are looked at. */
  public static final int MAX_PAIRS = 1_000;

  /** Counting stops here for each group. */
  public static final int MAX_COUNTED = 10_000;

  /** Maximum number of failed tasks that are counted in all. */
  public static final int MAX_LOOK = 200_000;

  /** Maximum number of waiting retries that are looked at. */
  public static final int MAX_RETRIES = 20_000;

  /** The time is divided into this many parts. */
  public static final int BUCKETS = 24;

  public ErrorQuery {
    if (since.toMillis() < BUCKETS) {
      throw new IllegalArgumentException("since: must be longer than " + since);
    }
  }

  /** All failed tasks of this time, by error. */
  public static ErrorQuery of(Duration since) {
    return new ErrorQuery(false, since, null, false);
  }

  public ErrorQuery withRetries(boolean value) {
    return new ErrorQuery(value, since, kind, byKind);
  }

  public ErrorQuery withKind(@Nullable String value) {
    return new ErrorQuery(retries, since, value, byKind);
  }

  public ErrorQuery withByKind(boolean value) {
    return new ErrorQuery(retries, since, kind, value);
  }
}
