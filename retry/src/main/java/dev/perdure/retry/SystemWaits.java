// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The time of this machine, with one daemon thread that only hands work on. */
final class SystemWaits implements Waits {

  static final SystemWaits INSTANCE = new SystemWaits();

  private final ScheduledThreadPoolExecutor timer = newTimer();

  private SystemWaits() {}

  private static ScheduledThreadPoolExecutor newTimer() {
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
