// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.StatisticsBuilder;
import java.sql.Connection;
import java.sql.SQLException;

/** Counts tasks, shard by shard. */
record PostgresStatistics(PostgresExecutor executor, Connection connection) {

  StatisticsBuilder backlog() throws SQLException {
    StatisticsBuilder builder = new StatisticsBuilder();
    for (int shard = 0; shard < executor.settings().shards(); shard++) {
      try (NamedParameterStatement statement =
          executor.statement(connection, "task_state.backlog")) {
        PostgresParameters.instant(statement, "now", executor.settings().now());
        builder.addLive(
            statement.integer("shard", shard).integer("limit", Backlog.MAX_COUNTED).query());
      }
    }
    return builder;
  }

  StoreStatistics all() throws SQLException {
    StatisticsBuilder builder = backlog();
    for (int shard = 0; shard < executor.settings().shards(); shard++) {
      try (NamedParameterStatement statement =
          executor.statement(connection, "task_state.count_ended")) {
        builder.addEnded(
            statement
                .integer("shard", shard)
                .integer("limit", StoreStatistics.MAX_COUNTED)
                .query());
      }
      try (NamedParameterStatement statement =
          executor.statement(connection, "task.count_by_strategy")) {
        builder.addStrategies(
            statement
                .integer("shard", shard)
                .integer("limit", StoreStatistics.MAX_COUNTED)
                .query());
      }
      try (NamedParameterStatement statement =
          executor.statement(connection, "attempt.sum_delays")) {
        builder.addDelays(
            statement
                .integer("shard", shard)
                .integer("limit", StoreStatistics.MAX_COUNTED)
                .query());
      }
    }
    return builder.statistics();
  }
}
