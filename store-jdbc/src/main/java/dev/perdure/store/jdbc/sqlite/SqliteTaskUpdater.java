// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Shards;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Updates task counters in the writer's transactions. */
final class SqliteTaskUpdater {

  private final SqliteStore store;

  SqliteTaskUpdater(SqliteStore store) {
    this.store = store;
  }

  List<WriteResult> add(List<ProgressReport> reports) {
    return store.write(
        (session, now) -> {
          List<WriteResult> results = new ArrayList<>(reports.size());
          for (ProgressReport report : reports) {
            results.add(add(session, now, report));
          }
          return results;
        });
  }

  private static WriteResult add(SqliteSession session, long now, ProgressReport report)
      throws SQLException {
    LeaseKey key = report.key();
    int written =
        session
            .statement("task_counters.add")
            .number("now", now)
            .number("shard", Shards.of(key.task()))
            .id("id", key.task())
            .number("epoch", key.epoch())
            .number("success", report.success())
            .number("failures", report.failures())
            .number("lease_ms", SqliteValues.millis(report.lease()))
            .update();
    return written == 0
        ? new SqliteChangeWriter(session, now).refused(key.task())
        : WriteResult.written();
  }

  WriteResult update(TaskUpdate update) {
    return store.write((session, now) -> updateTask(session, now, update));
  }

  private static WriteResult updateTask(SqliteSession session, long now, TaskUpdate update)
      throws SQLException {
    Integer priority = update.priority();
    int written =
        session
            .statement("task_counters.update_task")
            .number("now", now)
            .number("shard", Shards.of(update.task()))
            .id("id", update.task())
            .number("epoch", update.epoch())
            .number("priority", priority == null ? null : (Long) priority.longValue())
            .number("expected_count", update.expected())
            .update();
    if (written == 0) {
      return new SqliteChangeWriter(session, now).refused(update.task());
    }
    if (update.metadata() != null) {
      session
          .statement("task_counters.update_metadata")
          .number("shard", Shards.of(update.task()))
          .id("id", update.task())
          .text("metadata", update.metadata())
          .text("metadata_index", MetadataIndex.indexText(update.metadata()))
          .update();
    }
    return WriteResult.written();
  }
}
