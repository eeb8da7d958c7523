// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.spi.RetryWaveCounter;
import dev.perdure.engine.spi.RetryWaveCounter.DueRange;
import dev.perdure.engine.spi.RetryWaveCounter.RangeCount;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Counts waiting retries in ranges of due times, all ranges of a shard in one statement. */
final class PostgresRetryWave {

  private final PostgresExecutor executor;
  private final Connection connection;
  private final RetryWaveQuery query;

  PostgresRetryWave(PostgresExecutor executor, Connection connection, RetryWaveQuery query) {
    this.executor = executor;
    this.connection = connection;
    this.query = query;
  }

  RetryWave count() throws SQLException {
    return new RetryWaveCounter(query, executor.settings().shards(), executor.now(connection))
        .count(this::count);
  }

  private List<RangeCount> count(int shard, List<DueRange> ranges, int limit) throws SQLException {
    boolean byKind = query.byKind();
    try (NamedParameterStatement statement =
        executor.statement(connection, byKind ? "retry_wave.count_by_kind" : "retry_wave.count")) {
      statement
          .integer("shard", shard)
          .integer("limit", limit)
          .text("kind", PostgresParameters.withoutNul(query.kind()));
      PostgresParameters.array(
          statement,
          "after",
          "timestamptz",
          ranges,
          range -> PostgresParameters.instantText(range.after()));
      PostgresParameters.array(
          statement,
          "up_to",
          "timestamptz",
          ranges,
          range -> PostgresParameters.instantText(range.upTo()));
      return statement.list(
          row ->
              new RangeCount(
                  row.getInt("range_index"),
                  byKind ? row.getString("kind") : RetryWave.OTHER_KINDS,
                  row.getLong("entries"),
                  row.getLong("retries")));
    }
  }
}
