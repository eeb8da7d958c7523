// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunCopy;
import dev.perdure.engine.spi.RunCopy.OldTask;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.sql.BatchRowMapper.BatchRow;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.RunRowMapper;
import dev.perdure.store.jdbc.sql.RunRowMapper.EndedTasks;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the tasks of runs on a given connection. */
final class PostgresRunTasks {

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper = new TaskRowMapper(new PostgresColumnReader());
  private final RunRowMapper runRows = new RunRowMapper(new PostgresColumnReader());

  PostgresRunTasks(PostgresExecutor executor) {
    this.executor = executor;
  }

  /** Reads what a decision about the run needs; null when there is nothing to decide. */
  @Nullable CompletedRun read(
      Connection connection, BatchRow batch, int version, List<BatchRun> runs) throws SQLException {
    Instant now = executor.now(connection);
    EndedTasks ended = ended(connection, batch);
    UUID failed = ended.failedTask();
    UUID cause = failed;
    if (ended.failedBecauseOfOthers()) {
      cause = failedHolder(connection, batch.id());
      failed = cause == null ? null : ended.firstFailedTask();
    }
    return ended.completed(
        batch, version, runs, find(connection, failed), lastAttempt(connection, cause), now);
  }

  private EndedTasks ended(Connection connection, BatchRow batch) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.tasks", batch.id())) {
      return statement.integer("run", batch.run()).list(runRows::endedTasks).getFirst();
    }
  }

  private @Nullable UUID failedHolder(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.failed_holder", batch)) {
      return statement.list(runRows::id).stream().findFirst().orElse(null);
    }
  }

  private @Nullable Task find(Connection connection, @Nullable UUID id) throws SQLException {
    if (id == null) {
      return null;
    }
    try (NamedParameterStatement statement = executor.statement(connection, "task_view.find")) {
      PostgresParameters.uuid(statement.integer("shard", Shards.of(id)), "id", id);
      ResultSet row = statement.query();
      return row.next() ? rowMapper.task(row) : null;
    }
  }

  private @Nullable AttemptDetails lastAttempt(Connection connection, @Nullable UUID id)
      throws SQLException {
    if (id == null) {
      return null;
    }
    try (NamedParameterStatement statement =
        executor.statement(connection, "attempt.list_of_task")) {
      statement.integer("shard", Shards.of(id)).integer("limit", 1);
      PostgresParameters.uuid(statement, "id", id);
      ResultSet row = statement.query();
      return row.next() ? rowMapper.attempt(row).details() : null;
    }
  }

  /**
   * What the next run is copied from. Reads earlier runs only if a task was held back in the last
   * one.
   */
  RunCopy.Source source(Connection connection, UUID batch, int previous) throws SQLException {
    List<OldTask> tasks = tasks(connection, batch, previous);
    if (previous > 0 && tasks.size() < firstRunSize(connection, batch)) {
      return ofAllRuns(connection, batch);
    }
    try (NamedParameterStatement statement =
        statement(connection, "run.dependencies_to_copy", batch)) {
      return new RunCopy.Source(
          tasks, statement.integer("run", previous).list(runRows::dependency));
    }
  }

  private List<OldTask> tasks(Connection connection, UUID batch, int run) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.tasks_to_copy", batch)) {
      return statement.integer("run", run).list(runRows::oldTask);
    }
  }

  private long firstRunSize(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement statement = statement(connection, "run.first_run_size", batch)) {
      return statement.list(row -> row.getLong("tasks")).getFirst();
    }
  }

  private RunCopy.Source ofAllRuns(Connection connection, UUID batch) throws SQLException {
    try (NamedParameterStatement tasks = statement(connection, "run.all_tasks", batch);
        NamedParameterStatement dependencies =
            statement(connection, "run.all_dependencies", batch)) {
      return RunCopy.Source.ofAllRuns(
          tasks.list(runRows::version), dependencies.list(runRows::dependency));
    }
  }

  private NamedParameterStatement statement(Connection connection, String name, UUID batch)
      throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.uuid(statement, "batch", batch);
    return statement.integer("shard", Shards.of(batch));
  }
}
