// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.task.LimitType;
import java.time.Duration;
import java.time.Instant;

/**
 * A locked limit next to what the other tables say about it, for {@link
 * MaintenanceStore#sweepLimits}.
 *
 * @param held how many claimed and running tasks have the limit
 * @param freed how many places events have freed that no claim has applied yet
 * @param hasEvents whether a claim will look at it because of an event
 * @param hasWaiting whether tasks wait for it; those past their deadline do not, because no claim
 *     takes them
 * @param changedAt when a claim last looked at it
 */
public record LimitCheck(
    LimitRow limit,
    long held,
    long freed,
    boolean hasEvents,
    boolean hasWaiting,
    Instant changedAt) {

  /**
   * What the limit should have in use: the places of events are free only when they are applied.
   */
  public long used() {
    return held + freed;
  }

  public boolean isWrong() {
    return limit.used() != used() || isForgotten();
  }

  /** Tasks wait, there is room, and nothing makes a claim look at it. */
  private boolean isForgotten() {
    boolean full = limit.rule().type() == LimitType.CONCURRENCY && used() >= limit.rule().max();
    return hasWaiting && !hasEvents && limit.lookAt() == null && !full;
  }

  /** A rate that would make a task wait is kept, however long ago its last start was. */
  public boolean isUnused(Instant now) {
    Instant nextStart = limit.nextStart();
    Duration idle = Duration.between(changedAt, now);
    return used() == 0
        && !hasEvents
        && !hasWaiting
        && limit.lookAt() == null
        && (nextStart == null || !nextStart.isAfter(now))
        && idle.compareTo(MaintenanceStore.LIMIT_RETENTION) > 0;
  }
}
