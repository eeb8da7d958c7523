// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.RollupJson;
import dev.perdure.engine.spi.RollupStore;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Rollups in {@code perdure_rollup}. */
record SqliteRollupStore(SqliteStore store) implements RollupStore {

  @Override
  public Instant write(List<Rollup> rollups) {
    return store.write(
        (session, now) -> {
          for (Rollup rollup : rollups) {
            session
                .statement("rollup.write")
                .number("step_s", rollup.step().length().toSeconds())
                .number("at", rollup.at().toEpochMilli())
                .text("node", rollup.node().toString())
                .text("counts", RollupJson.write(rollup.counts()))
                .update();
          }
          return Instant.ofEpochMilli(now);
        });
  }

  @Override
  public int read(RollupStep step, Instant from, int limit, Consumer<Rollup> consumer) {
    List<Rollup> found =
        store.read(
            (session, now) ->
                session
                    .statement("rollup.list")
                    .number("step_s", step.length().toSeconds())
                    .number("from", from.toEpochMilli())
                    .number("limit", Math.min(limit, MAX_READ))
                    .list(
                        row ->
                            new Rollup(
                                step,
                                Instant.ofEpochMilli(row.getLong("at")),
                                UUID.fromString(row.getString("node")),
                                RollupJson.read(row.getString("counts")))));
    found.forEach(consumer);
    return found.size();
  }

  @Override
  public int purge(int limit) {
    return store.write(
        (session, now) -> {
          int deleted = 0;
          for (RollupStep step : RollupStep.values()) {
            deleted +=
                session
                    .statement("rollup.delete_expired")
                    .number("now", now)
                    .number("step_s", step.length().toSeconds())
                    .number("retention_ms", step.retention().toMillis())
                    .number("limit", limit)
                    .update();
          }
          return deleted;
        });
  }
}
