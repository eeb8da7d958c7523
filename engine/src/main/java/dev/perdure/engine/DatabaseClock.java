// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock, as this node estimates it: read every 30 seconds at most, and advanced by
 * the node's own clock in between.
 */
final class DatabaseClock {

  private static final Duration MAX_AGE = Duration.ofSeconds(30);

  private final TaskStore store;
  private final EngineEnvironment.MonotonicClock monotonic;
  private volatile @Nullable ClockReading lastReading;

  private record ClockReading(Instant now, Duration tick) {
    Instant at(Duration later) {
      return now.plus(later.minus(tick));
    }
  }

  DatabaseClock(TaskStore store, EngineEnvironment.MonotonicClock monotonic) {
    this.store = store;
    this.monotonic = monotonic;
  }

  /** The store has just returned its clock. */
  void observe(Instant now) {
    lastReading = new ClockReading(now, monotonic.now());
  }

  Instant now() {
    ClockReading last = lastReading;
    Duration tick = monotonic.now();
    if (last != null && tick.minus(last.tick()).compareTo(MAX_AGE) < 0) {
      return last.at(tick);
    }
    observe(store.now());
    return now();
  }
}
