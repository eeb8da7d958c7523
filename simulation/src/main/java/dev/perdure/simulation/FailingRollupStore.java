// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.RollupStore;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Rollups behind an unreliable connection. */
record FailingRollupStore(RollupStore inner, UnreliableConnection connection)
    implements RollupStore {

  @Override
  public Instant write(List<Rollup> rollups) {
    return connection.write("write rollups", () -> inner.write(rollups));
  }

  @Override
  public int read(RollupStep step, Instant from, int limit, Consumer<Rollup> consumer) {
    return connection.read("read rollups", () -> inner.read(step, from, limit, consumer));
  }

  @Override
  public int purge(int limit) {
    return connection.write("purge rollups", () -> inner.purge(limit));
  }
}
