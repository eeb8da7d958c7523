// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock, as well as it can be told from here: asked for now and then, and counted on
 * by the node's own in between.
 */
final class DatabaseTime {

  private static final Duration GOOD_FOR = Duration.ofSeconds(30);

  private final TaskStore store;
  private final Sources.Monotonic monotonic;
  private volatile @Nullable Known known;

  private record Known(Instant now, Duration tick) {
    Instant at(Duration later) {
      return now.plus(later.minus(tick));
    }
  }

  DatabaseTime(TaskStore store, Sources.Monotonic monotonic) {
    this.store = store;
    this.monotonic = monotonic;
  }

  /** The store has just told its time. */
  void learn(Instant now) {
    known = new Known(now, monotonic.now());
  }

  Instant now() {
    Known last = known;
    Duration tick = monotonic.now();
    if (last != null && tick.minus(last.tick()).compareTo(GOOD_FOR) < 0) {
      return last.at(tick);
    }
    // Of all that tells the time the cheapest: there is hardly ever one.
    learn(store.sweeps().orphans(1).now());
    return now();
  }
}
