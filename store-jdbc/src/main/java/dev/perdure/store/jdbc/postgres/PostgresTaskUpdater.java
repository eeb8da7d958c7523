// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.ProgressReport;
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

/** Updates task counters, with one statement per shard. */
final class PostgresTaskUpdater {

  private final PostgresExecutor executor;
  private final CurrentState currentState;

  PostgresTaskUpdater(PostgresExecutor executor) {
    this.executor = executor;
    this.currentState = new CurrentState(executor);
  }

  /** Not idempotent: progress that may already have been added is not added again. */
  List<WriteResult> add(List<ProgressReport> reports) {
    return ShardedWrites.run(reports, report -> report.key().task(), this::add);
  }

  private List<WriteResult> add(int shard, List<ProgressReport> reports) {
    GuardedWrites<ProgressReport> writes =
        new GuardedWrites<>(reports, report -> report.key().task(), ProgressReport::key);
    executor.runOnce(
        "add progress",
        (connection, mayHaveCommitted) -> {
          write(connection, shard, writes);
          return true;
        });
    return writes.refused().isEmpty()
        ? Collections.nCopies(reports.size(), WriteResult.written())
        : results(shard, writes);
  }

  /**
   * Looks up the refused reports in a separate operation: if the lookup fails, the reports that
   * were added must not look failed. The refused ones are then reported as skipped because of a
   * lock, so that the caller sends them again.
   */
  private List<WriteResult> results(int shard, GuardedWrites<ProgressReport> writes) {
    try {
      return executor.runIdempotent(
          "add progress",
          (connection, mayHaveCommitted) ->
              currentState.results(connection, shard, writes, (report, found) -> false));
    } catch (StoreException lookupFailed) {
      return IntStream.range(0, writes.items().size())
          .mapToObj(
              index ->
                  writes.isApplied(index) ? WriteResult.written() : skipped(writes.item(index)))
          .toList();
    }
  }

  private static WriteResult skipped(ProgressReport report) {
    return WriteResult.refused(TaskState.RUNNING, report.key().epoch());
  }

  private void write(Connection connection, int shard, GuardedWrites<ProgressReport> writes)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "task_counters.add")) {
      List<ProgressReport> sent = writes.indexes().stream().map(writes::item).toList();
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", shard);
      PostgresParameters.array(statement, "item_indexes", "int4", writes.indexes(), index -> index);
      PostgresParameters.array(statement, "ids", "uuid", sent, report -> report.key().task());
      PostgresParameters.array(statement, "epochs", "int8", sent, report -> report.key().epoch());
      PostgresParameters.array(statement, "successes", "int8", sent, ProgressReport::success);
      PostgresParameters.array(statement, "failures", "int8", sent, ProgressReport::failures);
      PostgresParameters.array(
          statement, "leases_ms", "int8", sent, report -> SqlTimes.toMillisOrNull(report.lease()));
      writes.markApplied(statement.query());
    }
  }

  WriteResult update(TaskUpdate update) {
    return executor.runIdempotent(
        "update task", (connection, mayHaveCommitted) -> updateTask(connection, update));
  }

  private WriteResult updateTask(Connection connection, TaskUpdate update) throws SQLException {
    int shard = Shards.of(update.task());
    GuardedWrites<TaskUpdate> writes =
        new GuardedWrites<>(List.of(update), TaskUpdate::task, TaskUpdate::task);
    try (NamedParameterStatement statement =
        executor.statement(connection, "task_counters.update_task")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.uuid(statement.integer("shard", shard), "id", update.task());
      Integer priority = update.priority();
      statement
          .number("priority", priority == null ? null : (Long) priority.longValue())
          .number("expected_count", update.expected())
          .number("epoch", update.epoch())
          .text("metadata", update.metadata())
          .text("metadata_index", MetadataIndex.indexText(update.metadata()));
      writes.markApplied(statement.query());
    }
    return currentState.results(connection, shard, writes, (item, found) -> false).getFirst();
  }
}
