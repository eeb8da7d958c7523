// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The time of this machine, with one daemon thread that only hands work on. */
final class SystemWaits implements Waits {

  static final SystemWaits INSTANCE = new SystemWaits();

  private final ScheduledExecutorService timer = newTimer();

  private SystemWaits() {}

  /**
   * Since JDK 25 a ForkJoinPool can wait, and its timers are smaller and cheaper. It is one of our
   * own: in the common pool, calls that block would hold up the very timers that end them.
   */
  private static ScheduledExecutorService newTimer() {
    Executor pool = new ForkJoinPool(1);
    return pool instanceof ScheduledExecutorService scheduler ? scheduler : newThread();
  }

  private static ScheduledExecutorService newThread() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("perdure-retry-timer").factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Chance that costs nothing to share between threads. */
  static Supplier<RandomGenerator> chance() {
    return ThreadLocalRandom::current;
  }

  /** A key that no other call has. */
  static String newKey() {
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
    Future<?> planned = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> planned.cancel(false);
  }
}
