// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Shards;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Changes figures of tasks, in the writer's transactions. */
final class SqliteTaskCounters implements TaskCounters {

  private final SqliteStore store;

  SqliteTaskCounters(SqliteStore store) {
    this.store = store;
  }

  @Override
  public List<WriteResult> add(List<ProgressReport> progressReports) {
    return store.write(
        (sqliteSession, now) -> {
          List<WriteResult> writeResults = new ArrayList<>(progressReports.size());
          for (ProgressReport progressReport : progressReports) {
            writeResults.add(add(sqliteSession, now, progressReport));
          }
          return writeResults;
        });
  }

  private static WriteResult add(
      SqliteSession sqliteSession, long now, ProgressReport progressReport) throws SQLException {
    LeaseKey key = progressReport.key();
    int written =
        sqliteSession
            .statement("task_counters.add")
            .number("now", now)
            .number("shard", Shards.of(key.task()))
            .id("id", key.task())
            .number("epoch", key.epoch())
            .number("success", progressReport.success())
            .number("failures", progressReport.failures())
            .number("lease_ms", SqliteValues.millis(progressReport.lease()))
            .update();
    return written == 0
        ? new SqliteChangeWriter(sqliteSession, now).refused(key.task())
        : WriteResult.written();
  }

  @Override
  public WriteResult update(TaskUpdate taskUpdate) {
    return store.write((sqliteSession, now) -> revise(sqliteSession, now, taskUpdate));
  }

  private static WriteResult revise(SqliteSession sqliteSession, long now, TaskUpdate taskUpdate)
      throws SQLException {
    Integer priority = taskUpdate.priority();
    int written =
        sqliteSession
            .statement("task_counters.update_task")
            .number("now", now)
            .number("shard", Shards.of(taskUpdate.task()))
            .id("id", taskUpdate.task())
            .number("epoch", taskUpdate.epoch())
            .number("priority", priority == null ? null : (Long) priority.longValue())
            .number("expected_count", taskUpdate.expected())
            .update();
    if (written == 0) {
      return new SqliteChangeWriter(sqliteSession, now).refused(taskUpdate.task());
    }
    if (taskUpdate.metadata() != null) {
      sqliteSession
          .statement("task_counters.update_metadata")
          .number("shard", Shards.of(taskUpdate.task()))
          .id("id", taskUpdate.task())
          .text("metadata", taskUpdate.metadata())
          .text("metadata_index", MetadataIndex.indexText(taskUpdate.metadata()))
          .update();
    }
    return WriteResult.written();
  }
}
