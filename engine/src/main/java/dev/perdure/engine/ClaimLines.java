// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.Claimed;
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
final class ClaimLines {

  private static final Claimed NOTHING = new Claimed(List.of(), Instant.EPOCH, null);

  private final Sources.Monotonic monotonic;
  private final Duration poll;
  private final int mostWaiting;
  private final Map<List<String>, Line> lines = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private long rings;
  private int waiting;
  private boolean stopped;

  /** Those who wait for the same. */
  private static final class Line {
    private final ReentrantLock place = new ReentrantLock(true);
    private int length;
  }

  /**
   * @param mostWaiting so many wait at once
   */
  ClaimLines(Sources.Monotonic monotonic, Duration poll, int mostWaiting) {
    this.monotonic = monotonic;
    this.poll = poll;
    this.mostWaiting = mostWaiting;
  }

  /** There may be something to do. */
  void ring() {
    lock.lock();
    try {
      rings++;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** From now on nobody waits. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      rung.signalAll();
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
  Claimed claim(List<String> kinds, Duration wait, BooleanSupplier gone, Supplier<Claimed> claim) {
    Duration until = monotonic.now().plus(wait);
    if (isOver(until)) {
      return claim.get();
    }
    Line line = joined(kinds);
    if (line == null) {
      return withoutWaiting(claim);
    }
    try {
      return inLine(line, until, gone, claim);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return NOTHING;
    } finally {
      left(kinds, line);
    }
  }

  /** An empty answer would make him ask again at once, and all the others who find no place. */
  private Claimed withoutWaiting(Supplier<Claimed> claim) {
    Claimed claimed = claim.get();
    if (claimed.leases().isEmpty()) {
      throw new BusyException(
          "%d workers wait for tasks already, as many as may".formatted(mostWaiting));
    }
    return claimed;
  }

  private Claimed inLine(Line line, Duration until, BooleanSupplier gone, Supplier<Claimed> claim)
      throws InterruptedException {
    while (!line.place.tryLock(Math.min(left(until), poll.toNanos()), TimeUnit.NANOSECONDS)) {
      if (isOver(until) || gone.getAsBoolean()) {
        return NOTHING;
      }
    }
    try {
      for (long seen = rings(); !gone.getAsBoolean(); seen = rings()) {
        Claimed claimed = claim.get();
        if (!claimed.leases().isEmpty() || isOver(until)) {
          return claimed;
        }
        await(seen, Math.min(left(until), pause(claimed.nextDue())));
      }
      return NOTHING;
    } finally {
      line.place.unlock();
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
      while (left > 0 && rings == seen && !stopped) {
        left = rung.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private long rings() {
    lock.lock();
    try {
      return rings;
    } finally {
      lock.unlock();
    }
  }

  private long left(Duration until) {
    return Math.max(0, until.minus(monotonic.now()).toNanos());
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
  private @Nullable Line joined(List<String> kinds) {
    lock.lock();
    try {
      if (waiting >= mostWaiting) {
        return null;
      }
      waiting++;
      Line line = lines.computeIfAbsent(kinds, unseen -> new Line());
      line.length++;
      return line;
    } finally {
      lock.unlock();
    }
  }

  private void left(List<String> kinds, Line line) {
    lock.lock();
    try {
      waiting--;
      line.length--;
      if (line.length == 0) {
        lines.remove(kinds);
      }
    } finally {
      lock.unlock();
    }
  }
}
