// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.RunCopy.OldTask;
import dev.perdure.engine.spi.RunCopy.VersionedTask;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.sql.BatchRowMapper.BatchRow;
import dev.perdure.store.jdbc.sql.TaskRowMapper.ColumnReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps rows to runs that have to be decided or started, and to what their tasks depend on. */
public final class RunRowMapper {

  private final ColumnReader columnReader;

  public RunRowMapper(ColumnReader columnReader) {
    this.columnReader = columnReader;
  }

  /** A run without open tasks, and the state of it that was read. */
  public record CompleteRow(UUID batch, int run, int version) {}

  public CompleteRow complete(ResultSet row) throws SQLException {
    return new CompleteRow(
        columnReader.uuid(row, "batch"), row.getInt("run"), row.getInt("version"));
  }

  /** Maps the row of the run before the one that is due. */
  public DueRun due(ResultSet row) throws SQLException {
    return new DueRun(columnReader.uuid(row, "batch"), row.getInt("run") + 1);
  }

  /**
   * What the tasks of a run have come to.
   *
   * @param deadline the earliest one
   * @param failedTask the task that failed first by itself; null when none did
   * @param firstFailedTask the task that failed first, also because of others
   * @param lastTask null when there are no tasks any more
   */
  public record EndedTasks(
      long live,
      long failed,
      long canceled,
      @Nullable Instant deadline,
      @Nullable UUID failedTask,
      @Nullable UUID firstFailedTask,
      @Nullable UUID lastTask) {

    /** True when tasks failed, but all of them because of others. */
    public boolean failedBecauseOfOthers() {
      return failedTask == null && firstFailedTask != null;
    }

    /** Returns null when there is nothing to decide: a task lives again, or all are deleted. */
    public @Nullable CompletedRun completed(
        BatchRow batch,
        int version,
        List<BatchRun> runs,
        @Nullable Task firstFailed,
        @Nullable AttemptDetails failure,
        Instant now) {
      if (lastTask == null || live > 0) {
        return null;
      }
      return new CompletedRun(
          batch.id(),
          batch.run(),
          version,
          batch.definition(),
          runs.getFirst().startedAt(),
          batch.run() == 0 ? null : runs.get(batch.run() - 1).delay(),
          batch.stoppedAt() != null,
          outcome(),
          firstFailed,
          failure,
          deadline,
          lastTask,
          now);
    }

    private BatchOutcome outcome() {
      if (failed > 0) {
        return BatchOutcome.FAILURE;
      }
      return canceled > 0 ? BatchOutcome.CANCELED : BatchOutcome.SUCCESS;
    }
  }

  public EndedTasks endedTasks(ResultSet row) throws SQLException {
    return new EndedTasks(
        row.getLong("live"),
        row.getLong("failed"),
        row.getLong("canceled"),
        columnReader.instant(row, "deadline_at"),
        uuidOrNull(row, "failed_task"),
        uuidOrNull(row, "first_failed_task"),
        uuidOrNull(row, "last_task"));
  }

  private @Nullable UUID uuidOrNull(ResultSet row, String column) throws SQLException {
    return row.getObject(column) == null ? null : columnReader.uuid(row, column);
  }

  /** Maps a task of any run of a batch. */
  public VersionedTask version(ResultSet row) throws SQLException {
    return new VersionedTask(oldTask(row), row.getInt("run"), uuidOrNull(row, "superseded_by"));
  }

  /** Maps a task that may be copied. */
  public OldTask oldTask(ResultSet row) throws SQLException {
    return new OldTask(
        columnReader.uuid(row, "id"),
        row.getInt("observers"),
        row.getBoolean("live"),
        row.getString("dedupe_key"));
  }

  public UUID id(ResultSet row) throws SQLException {
    return columnReader.uuid(row, "id");
  }

  public Dependency dependency(ResultSet row) throws SQLException {
    return new Dependency(
        columnReader.uuid(row, "parent"),
        columnReader.uuid(row, "child"),
        row.getBoolean("required"));
  }
}
