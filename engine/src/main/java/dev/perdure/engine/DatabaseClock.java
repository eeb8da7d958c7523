// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock, as well as it can be told from here: asked for now and then, and counted on
 * by the node's own in between.
 */
final class DatabaseClock {

  private static final Duration MAX_AGE = Duration.ofSeconds(30);

  private final TaskStore store;
  private final EngineEnvironment.MonotonicClock monotonicClock;
  private volatile @Nullable ClockReading lastReading;

  private record ClockReading(Instant now, Duration tick) {
    Instant at(Duration later) {
      return now.plus(later.minus(tick));
    }
  }

  DatabaseClock(TaskStore store, EngineEnvironment.MonotonicClock monotonicClock) {
    this.store = store;
    this.monotonicClock = monotonicClock;
  }

  /** The store has just told its time. */
  void observe(Instant now) {
    lastReading = new ClockReading(now, monotonicClock.now());
  }

  Instant now() {
    ClockReading last = lastReading;
    Duration tick = monotonicClock.now();
    if (last != null && tick.minus(last.tick()).compareTo(MAX_AGE) < 0) {
      return last.at(tick);
    }
    observe(store.now());
    return now();
  }
}
