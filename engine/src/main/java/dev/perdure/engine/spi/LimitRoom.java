// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.WaitingTask;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one limit still allows during one claim.
 *
 * <p>A rate is the generic cell rate algorithm: starts keep a distance of one period divided by the
 * number of starts. The limit remembers when the next start would be on time; a burst of n may come
 * n − 1 distances before that.
 */
final class LimitRoom {

  /** How long a task that needs much room lets smaller ones pass. */
  static final Duration MAX_PASSED = Duration.ofSeconds(60);

  private final LimitRow limit;
  private final Instant now;
  private long work;
  private int chosen;
  private boolean closed;
  private @Nullable Instant nextStart;

  /**
   * @param work how many items the tasks in use still have to do
   */
  LimitRoom(LimitRow limit, long work, Instant now) {
    this.limit = limit;
    this.work = work;
    this.now = now;
    this.nextStart = limit.nextStart();
    if (nextStart != null && limit.rule().per() != null) {
      // If the rate was raised, its tasks do not wait for the old distance.
      Instant latest = now.plus(limit.rule().distance().multipliedBy(limit.rule().burst()));
      nextStart = nextStart.isAfter(latest) ? latest : nextStart;
    }
  }

  LimitRow limit() {
    return limit;
  }

  int chosen() {
    return chosen;
  }

  @Nullable Instant nextStart() {
    return nextStart;
  }

  private long inUse() {
    return limit.used() + chosen;
  }

  /** Returns whether the task may start now. */
  boolean allows(WaitingTask task) {
    long max = limit.rule().max();
    return switch (limit.rule().type()) {
      case CONCURRENCY -> inUse() < max;
      case CAPACITY -> !closed && (inUse() == 0 || task.work() <= max - work);
      case RATE -> !earliestStart().isAfter(now);
    };
  }

  /**
   * Returns whether tasks behind one that is not allowed may be. A smaller one may pass a larger
   * one, until that has waited long enough.
   */
  boolean letsPass(WaitingTask refused) {
    closed |= Duration.between(refused.due(), now).compareTo(MAX_PASSED) >= 0;
    return switch (limit.rule().type()) {
      case CONCURRENCY, RATE -> false;
      case CAPACITY -> !closed && work < limit.rule().max();
    };
  }

  void choose(WaitingTask task) {
    chosen++;
    work = LimitTables.saturatedSum(work, task.work());
    if (limit.rule().per() != null) {
      Instant last = nextStart == null || nextStart.isBefore(now) ? now : nextStart;
      nextStart = last.plus(limit.rule().distance());
    }
  }

  /** Returns whether it allows no task of whatever size. */
  boolean isFull() {
    return switch (limit.rule().type()) {
      case CONCURRENCY -> inUse() >= limit.rule().max();
      case CAPACITY -> inUse() > 0 && work >= limit.rule().max();
      case RATE -> earliestStart().isAfter(now);
    };
  }

  /** When a rate allows the next start. */
  Instant earliestStart() {
    Instant onTime = nextStart;
    return onTime == null
        ? now
        : onTime.minus(limit.rule().distance().multipliedBy(limit.rule().burst() - 1L));
  }
}
