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
 * A fake source of time for tests. A synchronous retry does not wait, and {@link #sleeps} returns
 * its delays. Scheduled tasks run when {@link #advance} reaches their time, on the thread that
 * advances. A task that interrupts a waiting thread ends its wait, like a real interrupt.
 * Thread-safe.
 */
public final class FakeTimeProvider implements TimeProvider {

  /** More tasks than this in one advance mean that a task schedules itself forever. */
  private static final int MAX_TASKS = 1_000_000;

  /** Due by {@link #nanoTime}: setting the wall clock does not change it. */
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

  /** Creates a clock that stands at this instant until it is advanced. */
  public static FakeTimeProvider startingAt(Instant start) {
    return new FakeTimeProvider(start);
  }

  /** Returns the delays of synchronous retries so far, in order. */
  public List<Duration> sleeps() {
    return locked(() -> List.copyOf(sleeps));
  }

  /** Returns the number of scheduled tasks that have neither run nor been canceled. */
  public int pending() {
    return locked(pendingTimers::size);
  }

  /** Advances the time and runs the tasks that become due, in order. */
  public void advance(Duration duration) {
    long end = after(duration);
    for (int i = 0; i < MAX_TASKS; i++) {
      Runnable task = nextUntil(end);
      if (task == null) {
        return;
      }
      task.run();
    }
    throw new IllegalStateException(MAX_TASKS + " tasks became due within " + duration);
  }

  /**
   * Removes and returns the next task due until {@code end}; if there is none, sets the time to
   * {@code end} and returns null.
   */
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

  /** Sets the wall clock, as an administrator would. Delays and limits do not depend on it. */
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

  /** Runs the task when the time reaches its due time, on the thread that advances it. */
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
