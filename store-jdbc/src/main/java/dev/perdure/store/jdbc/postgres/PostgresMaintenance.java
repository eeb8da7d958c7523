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

/**
 * Time-based maintenance, shard by shard: finds orphans, inactive attempts and tasks past their
 * deadline, and deletes expired batches and submission keys.
 */
final class PostgresMaintenance implements MaintenanceStore {

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper;

  PostgresMaintenance(PostgresExecutor executor, TaskRowMapper rowMapper) {
    this.executor = executor;
    this.rowMapper = rowMapper;
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
    return executor.runIdempotent(
        name, (connection, mayHaveCommitted) -> read(connection, name, limit));
  }

  private TaskSnapshot read(Connection connection, String name, int limit) throws SQLException {
    List<Task> tasks = new ArrayList<>();
    Instant now = executor.now(connection);
    for (int shard = 0; shard < executor.settings().shards() && tasks.size() < limit; shard++) {
      try (NamedParameterStatement statement =
          executor.statement(connection, "task_view." + name)) {
        PostgresParameters.instant(statement, "now", now);
        ResultSet found =
            statement.integer("shard", shard).integer("limit", limit - tasks.size()).query();
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
            (connection, mayHaveCommitted) ->
                PostgresMaintenance.this.delete(connection, shard, limit));
      }

      @Override
      public int markExpired(int shard) {
        return executor.runIdempotent(
            "purge",
            (connection, mayHaveCommitted) ->
                PostgresMaintenance.this.markExpired(connection, shard, age, limit));
      }
    }.run(executor.settings().shards());
  }

  private int delete(Connection connection, int shard, int limit) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "batch.delete")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      ResultSet row = statement.integer("shard", shard).integer("limit", limit).query();
      row.next();
      return row.getInt("tasks");
    }
  }

  int markExpired(Connection connection, int shard, Duration age, int limit) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "batch.mark_expired")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      return statement
          .integer("shard", shard)
          .number("age_ms", SqlTimes.toMillis(age))
          .integer("limit", limit)
          .update();
    }
  }

  @Override
  public int purgeSubmissionKeys(int limit) {
    int deleted = 0;
    for (int shard = 0; shard < executor.settings().shards() && deleted < limit; shard++) {
      int current = shard;
      int left = limit - deleted;
      deleted +=
          executor.runIdempotent(
              "delete submission keys",
              (connection, mayHaveCommitted) -> deleteExpiredKeys(connection, current, left));
    }
    return deleted;
  }

  private int deleteExpiredKeys(Connection connection, int shard, int limit) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "submission_key.delete_expired")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      return statement
          .integer("shard", shard)
          .number("retention_ms", SqlTimes.toMillis(Submission.KEY_RETENTION))
          .integer("limit", limit)
          .update();
    }
  }

  @Override
  public LimitSweep sweepLimits(String after, int limit) {
    LimitSweep all = new LimitSweep(null, 0, 0);
    for (int i = 0; i < executor.settings().shards(); i++) {
      int shard = i;
      all =
          all.plus(
              executor.runIdempotent(
                  "sweep limits",
                  (connection, mayHaveCommitted) ->
                      PostgresExecutor.inTransaction(
                          connection,
                          (same, again) ->
                              new PostgresLimitSweep(executor, same, shard).run(after, limit))));
    }
    return all;
  }
}
