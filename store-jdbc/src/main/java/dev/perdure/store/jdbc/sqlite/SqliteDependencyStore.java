// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.DependencyStore;
import dev.perdure.engine.spi.PropagationRound;
import java.sql.SQLException;

/** Propagates the ends of tasks, shard by shard. */
final class SqliteDependencyStore implements DependencyStore {

  private final SqliteStore store;

  SqliteDependencyStore(SqliteStore store) {
    this.store = store;
  }

  /** Looks for events on a read connection first, to keep the writer free. */
  @Override
  public Propagation propagate(int limit) {
    Propagation total = Propagation.NONE;
    for (int i = 0; i < store.shards() && total.dependencies() < limit; i++) {
      int shard = i;
      int left = limit - total.dependencies();
      if (store.read((session, now) -> hasEvents(session, shard))) {
        total =
            total.plus(
                store.write(
                    (session, now) ->
                        new PropagationRound<>(
                                new SqlitePropagationTables(session, now, shard), left)
                            .run()));
      }
    }
    return total;
  }

  private static boolean hasEvents(SqliteSession session, int shard) throws SQLException {
    return session
        .statement("propagation_event.any")
        .number("shard", shard)
        .one(row -> row.getBoolean("found"))
        .orElse(false);
  }
}
