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
 * Where remote workers wait for something to do. Those that ask for the same kinds stand in one
 * line, and only the first of it asks the store: so a hint that there is work makes one claim for
 * each line, and not one for each worker. Whoever got something, or has waited long enough, leaves
 * the place to the next. Nothing is held meanwhile but the caller's own thread.
 */
final class ClaimLongPoller {

  private static final ClaimResult NOTHING = new ClaimResult(List.of(), Instant.EPOCH, null);

  private final EngineEnvironment.MonotonicClock monotonicClock;
  private final Duration poll;
  private final int maxWaiting;
  private final Map<List<String>, PollGroup> groups = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wokenUp = lock.newCondition();
  private long wakeUps;
  private int waiting;
  private boolean stopped;

  /** Those who wait for the same. */
  private static final class PollGroup {
    private final ReentrantLock turn = new ReentrantLock(true);
    private int size;
  }

  /**
   * @param mostWaiting so many wait at once
   */
  ClaimLongPoller(EngineEnvironment.MonotonicClock monotonicClock, Duration poll, int mostWaiting) {
    this.monotonicClock = monotonicClock;
    this.poll = poll;
    this.maxWaiting = mostWaiting;
  }

  /** There may be something to do. */
  void wake() {
    lock.lock();
    try {
      wakeUps++;
      wokenUp.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** From now on nobody waits. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      wokenUp.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many wait now. */
  int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Claims until there is something, at most so long.
   *
   * @param gone says that nobody waits for the answer any more: then nothing is claimed for him
   * @throws BusyException when too many wait already and there is nothing to do
   */
  ClaimResult claim(
      List<String> kinds, Duration wait, BooleanSupplier gone, Supplier<ClaimResult> claim) {
    Duration until = monotonicClock.now().plus(wait);
    if (isOver(until)) {
      return claim.get();
    }
    PollGroup pollGroup = join(kinds);
    if (pollGroup == null) {
      return claimWithoutWaiting(claim);
    }
    try {
      return claimInTurn(pollGroup, until, gone, claim);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return NOTHING;
    } finally {
      left(kinds, pollGroup);
    }
  }

  /** An empty answer would make him ask again at once, and all the others who find no place. */
  private ClaimResult claimWithoutWaiting(Supplier<ClaimResult> claim) {
    ClaimResult claimResult = claim.get();
    if (claimResult.leases().isEmpty()) {
      throw new BusyException(
          "%d workers wait for tasks already, as many as may".formatted(maxWaiting));
    }
    return claimResult;
  }

  private ClaimResult claimInTurn(
      PollGroup pollGroup, Duration until, BooleanSupplier gone, Supplier<ClaimResult> claim)
      throws InterruptedException {
    while (!pollGroup.turn.tryLock(Math.min(left(until), poll.toNanos()), TimeUnit.NANOSECONDS)) {
      if (isOver(until) || gone.getAsBoolean()) {
        return NOTHING;
      }
    }
    try {
      for (long seen = wakeUps(); !gone.getAsBoolean(); seen = wakeUps()) {
        ClaimResult claimResult = claim.get();
        if (!claimResult.leases().isEmpty() || isOver(until)) {
          return claimResult;
        }
        await(seen, Math.min(left(until), pause(claimResult.nextDue())));
      }
      return NOTHING;
    } finally {
      pollGroup.turn.unlock();
    }
  }

  /** A millisecond after what is due next: waits are not exact, and too early is in vain. */
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

  private long left(Duration until) {
    return Math.max(0, until.minus(monotonicClock.now()).toNanos());
  }

  private boolean isOver(Duration until) {
    lock.lock();
    try {
      return stopped || left(until) == 0;
    } finally {
      lock.unlock();
    }
  }

  /** The line to stand in; null when too many wait. */
  private @Nullable PollGroup join(List<String> kinds) {
    lock.lock();
    try {
      if (waiting >= maxWaiting) {
        return null;
      }
      waiting++;
      PollGroup pollGroup = groups.computeIfAbsent(kinds, unseen -> new PollGroup());
      pollGroup.size++;
      return pollGroup;
    } finally {
      lock.unlock();
    }
  }

  private void left(List<String> kinds, PollGroup pollGroup) {
    lock.lock();
    try {
      waiting--;
      pollGroup.size--;
      if (pollGroup.size == 0) {
        groups.remove(kinds);
      }
    } finally {
      lock.unlock();
    }
  }
}
