// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the live tasks when somebody asks: one count at a time, at most every five seconds, and
 * never for more than a tenth of the time. All callers share the last count. Thread-safe.
 */
public final class CensusTaker {

  static final Duration MIN_PAUSE = Duration.ofSeconds(5);

  /** A count that is overdue for longer is out of date: nobody has asked meanwhile. */
  static final Duration MAX_DELAY = Duration.ofSeconds(30);

  private static final int PAUSE_FACTOR = 9;

  private final Supplier<Census> counter;
  private final Supplier<Duration> clock;
  private final Executor background;
  private @Nullable CompletableFuture<Census> inBackground;
  private final ReentrantLock counting = new ReentrantLock();
  private volatile @Nullable CountedCensus last;

  private record CountedCensus(Census census, Duration nextAt) {}

  /**
   * @param clock a monotonic clock
   * @param background runs counts that nobody waits for
   */
  CensusTaker(Supplier<Census> counter, Supplier<Duration> clock, Executor background) {
    this.counter = counter;
    this.clock = clock;
    this.background = background;
  }

  /** A new count, or the last one if it is too early or another count runs. */
  @SuppressWarnings("ReferenceEquality") // Equal counts can be taken at different times.
  public Census get() {
    CountedCensus known = last;
    if (known != null && (clock.get().compareTo(known.nextAt()) < 0 || counting.isLocked())) {
      return known.census();
    }
    counting.lock();
    try {
      CountedCensus newer = last;
      return newer != null && newer != known ? newer.census() : count();
    } finally {
      counting.unlock();
    }
  }

  /**
   * The last count, while a new one is taken in the background if it is time. If there is none, or
   * if it is out of date, waits a while for the new one.
   *
   * @return null if there is still none
   * @throws StoreException if there is none because the store failed
   */
  @Nullable Census latest(Duration patience) {
    CountedCensus known = last;
    Duration now = clock.get();
    if (known != null && now.compareTo(known.nextAt()) < 0) {
      return known.census();
    }
    CompletableFuture<Census> next = countInBackground();
    boolean outOfDate = known == null || now.compareTo(known.nextAt().plus(MAX_DELAY)) > 0;
    try {
      return next.get(outOfDate ? patience.toMillis() : 0, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException slow) {
      // The last count is told once more.
    } catch (ExecutionException failed) {
      if (known == null || !(failed.getCause() instanceof StoreException)) {
        throw failed.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(failed.getCause());
      }
    }
    return known == null ? null : known.census();
  }

  private synchronized CompletableFuture<Census> countInBackground() {
    CompletableFuture<Census> running = inBackground;
    if (running == null || running.isDone()) {
      running = CompletableFuture.supplyAsync(this::get, background);
      inBackground = running;
    }
    return running;
  }

  private Census count() {
    Duration before = clock.get();
    Census census = counter.get();
    Duration after = clock.get();
    Duration pause = after.minus(before).multipliedBy(PAUSE_FACTOR);
    last =
        new CountedCensus(census, after.plus(pause.compareTo(MIN_PAUSE) > 0 ? pause : MIN_PAUSE));
    return census;
  }
}
