// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that this node holds, each with its slot, until their ends are durable and their
 * handlers have returned. Thread-safe.
 */
final class InFlightAttempts {

  private final Slots slots;
  private final Map<LeaseKey, RunningAttempt> running = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  InFlightAttempts(Slots slots) {
    this.slots = slots;
  }

  Slots slots() {
    return slots;
  }

  void add(RunningAttempt one) {
    slots.take(one.task().definition().queueOrKind());
    running.put(one.key(), one);
  }

  /** The end is durable; the slot is free as soon as the handler has returned too. */
  void remove(RunningAttempt one) {
    if (one.settled()) {
      release(one);
    } else {
      signal();
    }
  }

  /** The handler has returned; the slot is free if the end is already durable. */
  void handlerEnded(RunningAttempt one) {
    if (one.handlerEnded()) {
      release(one);
    }
  }

  private void release(RunningAttempt one) {
    if (running.remove(one.key(), one)) {
      slots.release(one.task().definition().queueOrKind());
      signal();
    }
  }

  @Nullable RunningAttempt find(LeaseKey key) {
    return running.get(key);
  }

  List<RunningAttempt> all() {
    return List.copyOf(running.values());
  }

  /** Interrupts the attempts that were claimed under this id; unfinished ones are handed back. */
  void stopAll(UUID node) {
    running.values().stream()
        .filter(one -> one.node().equals(node))
        .forEach(one -> one.stop(RunningAttempt.AttemptStopReason.NODE_STOPPING));
  }

  /** How many attempts have no durable end yet. */
  int unsettled() {
    return (int) running.values().stream().filter(one -> !one.durable()).count();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until no attempt is held and no handler runs; false when the limit passed first. */
  boolean awaitEmpty(Duration limit) throws InterruptedException {
    return await(running::isEmpty, limit);
  }

  /**
   * Waits until every end is durable, even if handlers still run; false when the limit passed
   * first.
   */
  boolean awaitSettled(Duration limit) throws InterruptedException {
    return await(() -> unsettled() == 0, limit);
  }

  private boolean await(BooleanSupplier reached, Duration limit) throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert(limit);
    lock.lock();
    try {
      while (!reached.getAsBoolean()) {
        if (nanos <= 0) {
          return false;
        }
        // In slices, because a signal just before the wait must not cost the whole limit.
        long slice = Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(50));
        nanos -= slice - Math.max(0, changed.awaitNanos(slice));
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
