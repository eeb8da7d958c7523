// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.Retention;
import dev.perdure.store.jdbc.sql.SqlTimes;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Looks, shard by shard, for what needs a decision because time has passed. */
final class PostgresMaintenance implements MaintenanceStore {

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper;

  PostgresMaintenance(PostgresExecutor postgresExecutor, TaskRowMapper rows) {
    this.executor = postgresExecutor;
    this.rowMapper = rows;
  }

  @Override
  public TaskSnapshot orphans(int limit) {
    return read("orphans", limit);
  }

  @Override
  public TaskSnapshot inactive(int limit) {
    return read("inactive", limit);
  }

  @Override
  public TaskSnapshot pastDeadline(int limit) {
    return read("past_deadline", limit);
  }

  private TaskSnapshot read(String name, int limit) {
    return executor.runIdempotent(name, (connection, unsure) -> read(connection, name, limit));
  }

  private TaskSnapshot read(Connection connection, String name, int limit) throws SQLException {
    List<Task> tasks = new ArrayList<>();
    Instant now = executor.now(connection);
    for (int shard = 0; shard < executor.settings().shards() && tasks.size() < limit; shard++) {
      try (NamedParameterStatement namedParameterStatement =
          executor.statement(connection, "task_view." + name)) {
        PostgresParameters.instant(namedParameterStatement, "now", now);
        ResultSet found =
            namedParameterStatement
                .integer("shard", shard)
                .integer("limit", limit - tasks.size())
                .query();
        while (found.next()) {
          tasks.add(rowMapper.task(found));
        }
      }
    }
    return new TaskSnapshot(tasks, now);
  }

  @Override
  public int purge(Duration age, int limit) {
    return new Retention() {
      @Override
      public int delete(int shard) {
        return executor.runIdempotent(
            "purge",
            (connection, unsure) -> PostgresMaintenance.this.delete(connection, shard, limit));
      }

      @Override
      public int markExpired(int shard) {
        return executor.runIdempotent(
            "purge",
            (connection, unsure) ->
                PostgresMaintenance.this.markExpired(connection, shard, age, limit));
      }
    }.run(executor.settings().shards());
  }

  private int delete(Connection connection, int shard, int limit) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "batch.delete")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      ResultSet row =
          namedParameterStatement.integer("shard", shard).integer("limit", limit).query();
      row.next();
      return row.getInt("tasks");
    }
  }

  int markExpired(Connection connection, int shard, Duration age, int limit) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "batch.mark_expired")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      return namedParameterStatement
          .integer("shard", shard)
          .number("age_ms", SqlTimes.toMillis(age))
          .integer("limit", limit)
          .update();
    }
  }

  @Override
  public int purgeSubmissionKeys(int limit) {
    int forgotten = 0;
    for (int shard = 0; shard < executor.settings().shards() && forgotten < limit; shard++) {
      int which = shard;
      int left = limit - forgotten;
      forgotten +=
          executor.runIdempotent("forget", (connection, unsure) -> forget(connection, which, left));
    }
    return forgotten;
  }

  private int forget(Connection connection, int shard, int limit) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "submission_key.delete_expired")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      return namedParameterStatement
          .integer("shard", shard)
          .number("retention_ms", SqlTimes.toMillis(Submission.KEY_RETENTION))
          .integer("limit", limit)
          .update();
    }
  }
}
