// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The time of this machine, with one daemon thread that only hands work on.
 *
 * <p>The timer is our own, since very many calls may wait: those of the JDK keep two or three times
 * as much for each, and the one of a ForkJoinPool passes each task through a worker of that pool
 * before it reaches the executor that it is for.
 */
final class SystemTimeProvider implements TimeProvider {

  static final SystemTimeProvider INSTANCE = new SystemTimeProvider();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition earlierTimer = lock.newCondition();
  private final TimerHeap timers = new TimerHeap();
  private boolean started;

  private SystemTimeProvider() {}

  /** Chance that costs nothing to share between threads. */
  static Supplier<RandomGenerator> threadLocalRandom() {
    return ThreadLocalRandom::current;
  }

  /** A key that no other call has. */
  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    Thread.sleep(duration);
  }

  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    CancellableTimer cancellableTimer =
        new CancellableTimer(System.nanoTime() + delay.toNanos(), task);
    lock.lock();
    try {
      start();
      if (timers.add(cancellableTimer)) {
        earlierTimer.signal();
      }
    } finally {
      lock.unlock();
    }
    return cancellableTimer;
  }

  private void start() {
    if (!started) {
      // Whoever happens to be first must not be remembered for ever by what the thread inherits.
      Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(false)
          .name("perdure-retry-timer")
          .start(this::runTimers);
      started = true;
    }
  }

  private void runTimers() {
    while (true) {
      try {
        takeDue().task().run();
      } catch (InterruptedException nobodysBusiness) {
        // It was a task that interrupted the thread it ran on; the others are still waiting.
      } catch (Throwable e) {
        RetryLog.warn("a timer's task threw", e);
      }
    }
  }

  /** Takes out the next alarm, when its instant has come. */
  private TimerHeap.TimerEntry takeDue() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        TimerHeap.TimerEntry first = timers.first();
        long left = first == null ? Long.MAX_VALUE : first.dueAt() - System.nanoTime();
        if (first != null && left <= 0) {
          timers.remove(first);
          return first;
        }
        earlierTimer.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** An alarm that can be called off. */
  private final class CancellableTimer extends TimerHeap.TimerEntry implements Cancellable {

    CancellableTimer(long dueAt, Runnable task) {
      super(dueAt, task);
    }

    @Override
    public void cancel() {
      lock.lock();
      try {
        timers.remove(this);
      } finally {
        lock.unlock();
      }
    }
  }
}
