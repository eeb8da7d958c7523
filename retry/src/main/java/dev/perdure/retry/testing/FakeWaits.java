// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.testing;

import dev.perdure.retry.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Time for tests. A synchronous retry passes its waits at once, and {@link #sleeps} tells which
 * they were; what is scheduled runs when {@link #advance} has passed its instant, on the thread
 * that advances. Safe to share between threads.
 */
public final class FakeWaits implements Waits {

  private record Planned(Instant due, long order, Runnable task) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Planned> planned =
      new PriorityQueue<>(Comparator.comparing(Planned::due).thenComparingLong(Planned::order));
  private final List<Duration> sleeps = new ArrayList<>();
  private Instant now;
  private long nanos;
  private long order;

  private FakeWaits(Instant start) {
    this.now = start;
  }

  /** Time that stands still at this instant until it is told to go on. */
  public static FakeWaits startingAt(Instant start) {
    return new FakeWaits(start);
  }

  /** The waits of synchronous retries so far, in their order. */
  public List<Duration> sleeps() {
    lock.lock();
    try {
      return List.copyOf(sleeps);
    } finally {
      lock.unlock();
    }
  }

  /** How many tasks are scheduled and neither run nor called off. */
  public int pending() {
    lock.lock();
    try {
      return planned.size();
    } finally {
      lock.unlock();
    }
  }

  /** Lets time pass and runs what falls due, one after the other, in order. */
  public void advance(Duration duration) {
    Instant end = now().plus(duration);
    for (Runnable task = nextUntil(end); task != null; task = nextUntil(end)) {
      task.run();
    }
  }

  private @Nullable Runnable nextUntil(Instant end) {
    lock.lock();
    try {
      Planned next = planned.peek();
      if (next == null || next.due().isAfter(end)) {
        moveTo(end);
        return null;
      }
      planned.remove();
      moveTo(next.due());
      return next.task();
    } finally {
      lock.unlock();
    }
  }

  private void moveTo(Instant instant) {
    if (instant.isAfter(now)) {
      nanos += Duration.between(now, instant).toNanos();
      now = instant;
    }
  }

  /** Moves the wall clock, as an administrator would; waits and limits do not look at it. */
  public void setWallClock(Instant instant) {
    lock.lock();
    try {
      Duration jump = Duration.between(now, instant);
      List<Planned> moved = List.copyOf(planned);
      planned.clear();
      moved.forEach(p -> planned.add(new Planned(p.due().plus(jump), p.order(), p.task())));
      now = instant;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      return nanos;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Instant now() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before a wait of " + duration);
    }
    lock.lock();
    try {
      sleeps.add(duration);
    } finally {
      lock.unlock();
    }
    advance(duration);
  }

  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    lock.lock();
    try {
      Planned entry = new Planned(now.plus(delay), order++, task);
      planned.add(entry);
      return () -> callOff(entry);
    } finally {
      lock.unlock();
    }
  }

  private void callOff(Planned entry) {
    lock.lock();
    try {
      planned.removeIf(other -> other.order() == entry.order());
    } finally {
      lock.unlock();
    }
  }
}
