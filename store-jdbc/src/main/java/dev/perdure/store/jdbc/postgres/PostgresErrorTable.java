// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.ErrorTable;
import dev.perdure.engine.task.Attempt;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Reads the errors of failed tasks, one statement per shard for each step. */
final class PostgresErrorTable implements ErrorTable<SQLException> {

  private final PostgresExecutor executor;
  private final Connection connection;
  private final TaskRowMapper rowMapper;

  PostgresErrorTable(PostgresExecutor executor, Connection connection, TaskRowMapper rowMapper) {
    this.executor = executor;
    this.connection = connection;
    this.rowMapper = rowMapper;
  }

  @Override
  public List<ErrorPair> pairs(int shard, int limit) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "error.pairs")) {
      return statement
          .integer("shard", shard)
          .integer("limit", limit)
          .list(
              row ->
                  new ErrorPair(
                      row.getString("error"),
                      row.getString("kind"),
                      rowMapper.instant(row, "last_at"),
                      row.getObject("newest", UUID.class)));
    }
  }

  @Override
  public List<ErrorCount> counts(int shard, List<ErrorPair> pairs, ErrorTimes times, int limit)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "error.counts")) {
      PostgresParameters.array(statement, "errors", "text", pairs, ErrorPair::error);
      PostgresParameters.array(statement, "kinds", "text", pairs, ErrorPair::kind);
      PostgresParameters.instant(statement, "from", times.from());
      return counts(statement, shard, times, limit);
    }
  }

  @Override
  public List<ErrorCount> withoutError(int shard, ErrorTimes times, int limit) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "error.without_error")) {
      PostgresParameters.instant(statement, "from", times.from());
      return counts(statement, shard, times, limit);
    }
  }

  @Override
  public List<ErrorCount> retries(int shard, ErrorTimes times, int limit) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "error.retries")) {
      return counts(statement, shard, times, limit);
    }
  }

  private List<ErrorCount> counts(
      NamedParameterStatement statement, int shard, ErrorTimes times, int limit)
      throws SQLException {
    PostgresParameters.array(
        statement.integer("shard", shard).integer("limit", limit),
        "starts",
        "timestamptz",
        times.starts(),
        PostgresParameters::instantText);
    return statement.list(this::count);
  }

  private ErrorCount count(ResultSet row) throws SQLException {
    String sample = row.getString("sample");
    return new ErrorCount(
        row.getString("error"),
        row.getString("kind"),
        row.getString("failure_kind"),
        row.getString("give_up_reason"),
        row.getInt("bucket"),
        row.getLong("tasks"),
        rowMapper.instant(row, "first_at"),
        rowMapper.instant(row, "last_at"),
        sample == null ? null : UUID.fromString(sample));
  }

  @Override
  public List<Attempt> lastAttempts(int shard, List<UUID> tasks) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "error.last_attempts")) {
      PostgresParameters.array(statement.integer("shard", shard), "ids", "uuid", tasks, id -> id);
      return statement.list(rowMapper::attempt);
    }
  }
}
