// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.Census;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the live tasks when somebody asks: one count at a time, at most every five seconds, and
 * never for more than a tenth of the time. All callers share the last count. Thread-safe.
 */
public final class CensusTaker {

  static final Duration MIN_PAUSE = Duration.ofSeconds(5);
  private static final int PAUSE_FACTOR = 9;

  private final Supplier<Census> counter;
  private final Supplier<Duration> clock;
  private final ReentrantLock counting = new ReentrantLock();
  private volatile @Nullable CountedCensus last;

  private record CountedCensus(Census census, Duration nextAt) {}

  public CensusTaker(Supplier<Census> counter, Supplier<Duration> clock) {
    this.counter = counter;
    this.clock = clock;
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
