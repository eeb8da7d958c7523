// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What needs a decision because time has passed. */
final class SqliteMaintenance implements MaintenanceStore {

  private final SqliteStore store;

  SqliteMaintenance(SqliteStore store) {
    this.store = store;
  }

  @Override
  public TaskSnapshot orphans(int limit) {
    return sweep("task_view.orphans", limit);
  }

  @Override
  public TaskSnapshot inactive(int limit) {
    return sweep("task_view.inactive", limit);
  }

  @Override
  public TaskSnapshot pastDeadline(int limit) {
    return sweep("task_view.past_deadline", limit);
  }

  private TaskSnapshot sweep(String statement, int limit) {
    return store.read(
        (sqliteSession, now) -> {
          List<Task> tasks = new ArrayList<>();
          CachedStatement sweep = sqliteSession.statement(statement).number("now", now);
          for (int shard = 0; shard < store.shards() && tasks.size() < limit; shard++) {
            tasks.addAll(
                sweep
                    .number("shard", shard)
                    .number("limit", limit - tasks.size())
                    .list(SqliteColumnReader.TASK_ROW_MAPPER::task));
          }
          return new TaskSnapshot(tasks, Instant.ofEpochMilli(now));
        });
  }

  @Override
  public int purge(Duration age, int limit) {
    return new SqliteRetention(store, age, limit).run(store.shards());
  }

  @Override
  public int purgeSubmissionKeys(int limit) {
    return store.write(
        (sqliteSession, now) -> {
          CachedStatement forget =
              sqliteSession
                  .statement("submission_key.delete_expired")
                  .number("now", now)
                  .number("retention_ms", Submission.KEY_RETENTION.toMillis());
          int forgotten = 0;
          for (int shard = 0; shard < store.shards() && forgotten < limit; shard++) {
            forgotten += forget.number("shard", shard).number("limit", limit - forgotten).update();
          }
          return forgotten;
        });
  }
}
