// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.testing;

import dev.perdure.retry.TimeProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Time for tests. A synchronous retry passes its waits at once, and {@link #sleeps} tells which
 * they were; what is scheduled runs when {@link #advance} has passed its instant, on the thread
 * that advances. A scheduled task that interrupts a waiting thread ends its wait, as a real
 * interrupt would. Safe to share between threads.
 */
public final class FakeTimeProvider implements TimeProvider {

  /** More than this in one go, and something schedules itself for ever. */
  private static final int MAX_TASKS = 1_000_000;

  /** Due when {@link #nanoTime} says so: a wall clock that is set does not move it. */
  private record PendingTimer(long due, long order, Runnable task) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<PendingTimer> pendingTimers =
      new PriorityQueue<>(
          Comparator.comparingLong(PendingTimer::due).thenComparingLong(PendingTimer::order));
  private final List<Duration> sleeps = new ArrayList<>();
  private Instant wallAtZero;
  private long nanos;
  private long order;

  private FakeTimeProvider(Instant start) {
    this.wallAtZero = start;
  }

  /** Time that stands still at this instant until it is told to go on. */
  public static FakeTimeProvider startingAt(Instant start) {
    return new FakeTimeProvider(start);
  }

  /** The waits of synchronous retries so far, in their order. */
  public List<Duration> sleeps() {
    return locked(() -> List.copyOf(sleeps));
  }

  /** How many tasks are scheduled and neither run nor called off. */
  public int pending() {
    return locked(pendingTimers::size);
  }

  /** Lets time pass and runs what falls due, one after the other, in order. */
  public void advance(Duration duration) {
    long end = after(duration);
    for (int i = 0; i < MAX_TASKS; i++) {
      Runnable task = nextUntil(end);
      if (task == null) {
        return;
      }
      task.run();
    }
    throw new IllegalStateException(MAX_TASKS + " tasks fell due in " + duration);
  }

  /** The next task until then; or null, and then it is that time. */
  private @Nullable Runnable nextUntil(long end) {
    lock.lock();
    try {
      PendingTimer next = pendingTimers.peek();
      if (next == null || next.due() > end) {
        nanos = Math.max(nanos, end);
        return null;
      }
      pendingTimers.remove();
      nanos = Math.max(nanos, next.due());
      return next.task();
    } finally {
      lock.unlock();
    }
  }

  /** Moves the wall clock, as an administrator would; waits and limits do not look at it. */
  public void setWallClock(Instant instant) {
    locked(() -> wallAtZero = instant.minusNanos(nanos));
  }

  @Override
  public long nanoTime() {
    return locked(() -> nanos);
  }

  @Override
  public Instant now() {
    return locked(() -> wallAtZero.plusNanos(nanos));
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before a wait of " + duration);
    }
    locked(() -> sleeps.add(duration));
    long end = after(duration);
    for (Runnable task = nextUntil(end); task != null; task = nextUntil(end)) {
      task.run();
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted in a wait of " + duration);
      }
    }
  }

  /** Runs the task when time has passed its instant, on the thread that lets it pass. */
  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    long due = after(delay);
    PendingTimer entry = locked(() -> new PendingTimer(due, order++, task));
    locked(() -> pendingTimers.add(entry));
    return () -> locked(() -> pendingTimers.removeIf(other -> other.order() == entry.order()));
  }

  private long after(Duration duration) {
    long wait = Math.max(0, TimeUnit.NANOSECONDS.convert(duration));
    return locked(() -> nanos > Long.MAX_VALUE - wait ? Long.MAX_VALUE : nanos + wait);
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }
}
