// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupStep;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Keeps rollups: the history of what all nodes did. */
public interface RollupStore {

  /** Maximum number of rollups that one call reads: 90 days of hours of 46 nodes. */
  int MAX_READ = 100_000;

  /**
   * Stores rollups, all or none. A rollup replaces an earlier one of the same step, start and node,
   * so a write whose answer was lost can be repeated.
   *
   * @return the database's clock
   */
  Instant write(List<Rollup> rollups);

  /**
   * Passes on the rollups that start at this instant or later, newest first.
   *
   * @param limit at most this many, up to {@link #MAX_READ}; the rest is older
   * @return how many there were
   */
  int read(RollupStep step, Instant from, int limit, Consumer<Rollup> consumer);

  /** Deletes up to {@code limit} rollups of each step after their retention; returns how many. */
  int purge(int limit);
}
