// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts completed tasks and wakes the thread that waits for the last one. Thread-safe. */
final class CompletionCounter {

  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final AtomicInteger ended = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition reached = lock.newCondition();
  private volatile int expected = Integer.MAX_VALUE;

  void add(int tasks) {
    if (ended.addAndGet(tasks) >= expected) {
      lock.lock();
      try {
        reached.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  int ended() {
    return ended.get();
  }

  void await(int tasks) throws InterruptedException {
    long nanos = TIMEOUT.toNanos();
    lock.lock();
    try {
      expected = tasks;
      while (ended.get() < tasks && nanos > 0) {
        // add() does not signal if it ran just before expected was set: check again every second.
        long slice = Math.min(nanos, TimeUnit.SECONDS.toNanos(1));
        nanos -= slice - Math.max(0, reached.awaitNanos(slice));
      }
    } finally {
      lock.unlock();
    }
    if (ended.get() < tasks) {
      throw new IllegalStateException(
          "Only %d of %d tasks ended within %s".formatted(ended.get(), tasks, TIMEOUT));
    }
  }
}
