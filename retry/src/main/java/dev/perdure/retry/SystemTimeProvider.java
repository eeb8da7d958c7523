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
 * The system clock, with one daemon thread for timers.
 *
 * <p>The timer is our own implementation, because very many calls may wait. Timers of the JDK need
 * two or three times as much memory per call, and that of a ForkJoinPool passes each task through a
 * worker of that pool before it reaches its executor.
 */
final class SystemTimeProvider implements TimeProvider {

  static final SystemTimeProvider INSTANCE = new SystemTimeProvider();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition earlierTimer = lock.newCondition();
  private final TimerHeap timers = new TimerHeap();
  private boolean started;

  private SystemTimeProvider() {}

  /** Returns a random source that can be shared between threads without contention. */
  static Supplier<RandomGenerator> threadLocalRandom() {
    return ThreadLocalRandom::current;
  }

  /** Returns a unique idempotency key. */
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
    CancellableTimer timer = new CancellableTimer(System.nanoTime() + delay.toNanos(), task);
    lock.lock();
    try {
      start();
      if (timers.add(timer)) {
        earlierTimer.signal();
      }
    } finally {
      lock.unlock();
    }
    return timer;
  }

  private void start() {
    if (!started) {
      // The thread must not keep inheritable thread locals of the first caller forever.
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
      } catch (InterruptedException ignored) {
        // A task interrupted its own thread. The other timers must still run.
      } catch (Throwable e) {
        RetryLog.warn("A timer task threw an exception", e);
      }
    }
  }

  /** Waits until the next timer is due and removes it. */
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

  /** A timer that can be canceled. */
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
