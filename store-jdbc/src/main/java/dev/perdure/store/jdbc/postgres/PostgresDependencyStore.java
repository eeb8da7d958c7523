// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.PropagationRound;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.IntSupplier;

/** Propagates the ends of tasks, shard by shard, each in a transaction of its own. */
final class PostgresDependencyStore implements DependencyStore {

  private final PostgresExecutor executor;
  private final IntSupplier firstShard;

  /**
   * @param firstShard the shard to begin with, so that no shard is always last
   */
  PostgresDependencyStore(PostgresExecutor executor, IntSupplier firstShard) {
    this.executor = executor;
    this.firstShard = firstShard;
  }

  @Override
  public Propagation propagate(int limit) {
    int shards = executor.settings().shards();
    int first = firstShard.getAsInt();
    Propagation total = Propagation.NONE;
    for (int i = 0; i < shards && total.dependencies() < limit; i++) {
      int shard = (first + i) % shards;
      int left = limit - total.dependencies();
      total =
          total.plus(
              executor.runIdempotent(
                  "propagate",
                  (connection, mayHaveCommitted) -> propagate(connection, shard, left)));
    }
    return total;
  }

  private Propagation propagate(Connection connection, int shard, int limit) throws SQLException {
    if (!hasEvents(connection, shard)) {
      return Propagation.NONE;
    }
    return PostgresExecutor.inTransaction(
        connection,
        (same, mayHaveCommitted) ->
            new PropagationRound<>(new PostgresPropagationTables(executor, same, shard), limit)
                .run());
  }

  private boolean hasEvents(Connection connection, int shard) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "propagation_event.any")) {
      ResultSet row = statement.integer("shard", shard).query();
      return row.next() && row.getBoolean("found");
    }
  }
}
