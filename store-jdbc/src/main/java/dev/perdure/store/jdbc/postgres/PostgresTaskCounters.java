// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Changes figures of tasks: those of one shard in one statement. */
final class PostgresTaskCounters implements TaskCounters {

  private final PostgresExecutor executor;
  private final CurrentState currentState;

  PostgresTaskCounters(PostgresExecutor postgresExecutor) {
    this.executor = postgresExecutor;
    this.currentState = new CurrentState(postgresExecutor);
  }

  /** What was perhaps added is not added again. */
  @Override
  public List<WriteResult> add(List<ProgressReport> progressReports) {
    return ShardedWrites.run(
        progressReports, progressReport -> progressReport.key().task(), this::add);
  }

  private List<WriteResult> add(int shard, List<ProgressReport> progressReports) {
    GuardedWrites<ProgressReport> guardedWrites =
        new GuardedWrites<>(
            progressReports, progressReport -> progressReport.key().task(), ProgressReport::key);
    executor.runOnce(
        "add",
        (connection, unsure) -> {
          write(connection, shard, guardedWrites);
          return true;
        });
    return guardedWrites.refused().isEmpty()
        ? Collections.nCopies(progressReports.size(), WriteResult.written())
        : results(shard, guardedWrites);
  }

  /**
   * The look at what was refused is an operation of its own: when it fails, what was added must not
   * seem undone. Those that it was for may be given again, and are told as if somebody were in the
   * way.
   */
  private List<WriteResult> results(int shard, GuardedWrites<ProgressReport> guardedWrites) {
    try {
      return executor.runIdempotent(
          "add",
          (connection, unsure) ->
              currentState.results(
                  connection, shard, guardedWrites, (progressReport, stateRow) -> false));
    } catch (StoreException nobodyKnows) {
      return IntStream.range(0, guardedWrites.items().size())
          .mapToObj(
              place ->
                  guardedWrites.isApplied(place)
                      ? WriteResult.written()
                      : skipped(guardedWrites.item(place)))
          .toList();
    }
  }

  private static WriteResult skipped(ProgressReport progressReport) {
    return WriteResult.refused(TaskState.RUNNING, progressReport.key().epoch());
  }

  private void write(Connection connection, int shard, GuardedWrites<ProgressReport> guardedWrites)
      throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "task_counters.add")) {
      List<ProgressReport> sent =
          guardedWrites.indexes().stream().map(guardedWrites::item).toList();
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", shard);
      PostgresParameters.array(
          namedParameterStatement, "item_indexes", "int4", guardedWrites.indexes(), place -> place);
      PostgresParameters.array(
          namedParameterStatement,
          "ids",
          "uuid",
          sent,
          progressReport -> progressReport.key().task());
      PostgresParameters.array(
          namedParameterStatement,
          "epochs",
          "int8",
          sent,
          progressReport -> progressReport.key().epoch());
      PostgresParameters.array(
          namedParameterStatement, "successes", "int8", sent, ProgressReport::success);
      PostgresParameters.array(
          namedParameterStatement, "failures", "int8", sent, ProgressReport::failures);
      PostgresParameters.array(
          namedParameterStatement,
          "leases_ms",
          "int8",
          sent,
          progressReport -> SqlTimes.toMillisOrNull(progressReport.lease()));
      guardedWrites.markApplied(namedParameterStatement.query());
    }
  }

  @Override
  public WriteResult update(TaskUpdate taskUpdate) {
    return executor.runIdempotent("revise", (connection, unsure) -> revise(connection, taskUpdate));
  }

  private WriteResult revise(Connection connection, TaskUpdate taskUpdate) throws SQLException {
    int shard = Shards.of(taskUpdate.task());
    GuardedWrites<TaskUpdate> guardedWrites =
        new GuardedWrites<>(List.of(taskUpdate), TaskUpdate::task, TaskUpdate::task);
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "task_counters.update_task")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      PostgresParameters.uuid(
          namedParameterStatement.integer("shard", shard), "id", taskUpdate.task());
      Integer priority = taskUpdate.priority();
      namedParameterStatement
          .number("priority", priority == null ? null : (Long) priority.longValue())
          .number("expected_count", taskUpdate.expected())
          .number("epoch", taskUpdate.epoch())
          .text("metadata", taskUpdate.metadata())
          .text("metadata_index", MetadataIndex.indexText(taskUpdate.metadata()));
      guardedWrites.markApplied(namedParameterStatement.query());
    }
    return currentState
        .results(connection, shard, guardedWrites, (one, stateRow) -> false)
        .getFirst();
  }
}
