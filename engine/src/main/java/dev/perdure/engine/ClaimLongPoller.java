// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.ClaimResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets remote workers wait for tasks. Workers that ask for the same kinds form a group, and only
 * the first of a group asks the store: a wake-up causes one claim per group instead of one per
 * worker. A worker that got tasks, or has waited long enough, hands its turn to the next. Nothing
 * is held meanwhile except the caller's own thread.
 */
final class ClaimLongPoller {

  private static final ClaimResult NOTHING = new ClaimResult(List.of(), Instant.EPOCH, null);

  private final EngineEnvironment.MonotonicClock monotonic;
  private final Duration poll;
  private final int maxWaiting;
  private final Map<List<String>, PollGroup> groups = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wokenUp = lock.newCondition();
  private long wakeUps;
  private int waiting;
  private boolean stopped;

  /** Workers that wait for the same kinds. */
  private static final class PollGroup {
    private final ReentrantLock turn = new ReentrantLock(true);
    private int size;
  }

  /**
   * @param maxWaiting the most workers that may wait at once
   */
  ClaimLongPoller(EngineEnvironment.MonotonicClock monotonic, Duration poll, int maxWaiting) {
    this.monotonic = monotonic;
    this.poll = poll;
    this.maxWaiting = maxWaiting;
  }

  /** There may be tasks. */
  void wake() {
    lock.lock();
    try {
      wakeUps++;
      wokenUp.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waiting claims and accepts no new ones. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      wokenUp.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of waiting workers. */
  int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Claims until there are tasks, at most this long.
   *
   * @param disconnected true when the worker no longer waits for the answer; then nothing is
   *     claimed for it
   * @throws BusyException when too many workers wait already and there are no tasks
   */
  ClaimResult claim(
      List<String> kinds,
      Duration wait,
      BooleanSupplier disconnected,
      Supplier<ClaimResult> claim) {
    Duration until = monotonic.now().plus(wait);
    if (isOver(until)) {
      return claim.get();
    }
    PollGroup group = join(kinds);
    if (group == null) {
      return claimWithoutWaiting(claim);
    }
    try {
      return claimInTurn(group, until, disconnected, claim);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return NOTHING;
    } finally {
      leave(kinds, group);
    }
  }

  /**
   * An empty answer would make the worker ask again at once, and all others beyond the limit too.
   */
  private ClaimResult claimWithoutWaiting(Supplier<ClaimResult> claim) {
    ClaimResult claimResult = claim.get();
    if (claimResult.leases().isEmpty()) {
      throw new BusyException(
          "%d workers already wait for tasks, which is the limit; try again later"
              .formatted(maxWaiting));
    }
    return claimResult;
  }

  private ClaimResult claimInTurn(
      PollGroup group, Duration until, BooleanSupplier disconnected, Supplier<ClaimResult> claim)
      throws InterruptedException {
    while (!group.turn.tryLock(Math.min(nanosUntil(until), poll.toNanos()), TimeUnit.NANOSECONDS)) {
      if (isOver(until) || disconnected.getAsBoolean()) {
        return NOTHING;
      }
    }
    try {
      for (long seen = wakeUps(); !disconnected.getAsBoolean(); seen = wakeUps()) {
        ClaimResult claimResult = claim.get();
        if (!claimResult.leases().isEmpty() || isOver(until)) {
          return claimResult;
        }
        await(seen, Math.min(nanosUntil(until), pause(claimResult.nextDue())));
      }
      return NOTHING;
    } finally {
      group.turn.unlock();
    }
  }

  /**
   * A millisecond after the next task is due: waits are not exact, and a claim that is too early
   * finds nothing.
   */
  private long pause(@Nullable Duration nextDue) {
    return nextDue == null || nextDue.compareTo(poll) >= 0
        ? poll.toNanos()
        : nextDue.plusMillis(1).toNanos();
  }

  private void await(long seen, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (left > 0 && wakeUps == seen && !stopped) {
        left = wokenUp.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private long wakeUps() {
    lock.lock();
    try {
      return wakeUps;
    } finally {
      lock.unlock();
    }
  }

  private long nanosUntil(Duration until) {
    return Math.max(0, until.minus(monotonic.now()).toNanos());
  }

  private boolean isOver(Duration until) {
    lock.lock();
    try {
      return stopped || nanosUntil(until) == 0;
    } finally {
      lock.unlock();
    }
  }

  /** The group to wait in; null when too many workers wait. */
  private @Nullable PollGroup join(List<String> kinds) {
    lock.lock();
    try {
      if (waiting >= maxWaiting) {
        return null;
      }
      waiting++;
      PollGroup group = groups.computeIfAbsent(kinds, unseen -> new PollGroup());
      group.size++;
      return group;
    } finally {
      lock.unlock();
    }
  }

  private void leave(List<String> kinds, PollGroup group) {
    lock.lock();
    try {
      waiting--;
      group.size--;
      if (group.size == 0) {
        groups.remove(kinds);
      }
    } finally {
      lock.unlock();
    }
  }
}
