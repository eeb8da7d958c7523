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

/**
 * Time-based maintenance: finds orphans, inactive attempts and tasks past their deadline, and
 * deletes expired batches and submission keys.
 */
final class SqliteMaintenance implements MaintenanceStore {

  private final SqliteStore store;

  SqliteMaintenance(SqliteStore store) {
    this.store = store;
  }

  @Override
  public TaskSnapshot orphans(int limit) {
    return find("task_view.orphans", limit);
  }

  @Override
  public TaskSnapshot inactive(int limit) {
    return find("task_view.inactive", limit);
  }

  @Override
  public TaskSnapshot pastDeadline(int limit) {
    return find("task_view.past_deadline", limit);
  }

  private TaskSnapshot find(String statement, int limit) {
    return store.read(
        (session, now) -> {
          List<Task> tasks = new ArrayList<>();
          CachedStatement find = session.statement(statement).number("now", now);
          for (int shard = 0; shard < store.shards() && tasks.size() < limit; shard++) {
            tasks.addAll(
                find.number("shard", shard)
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
        (session, now) -> {
          CachedStatement delete =
              session
                  .statement("submission_key.delete_expired")
                  .number("now", now)
                  .number("retention_ms", Submission.KEY_RETENTION.toMillis());
          int deleted = 0;
          for (int shard = 0; shard < store.shards() && deleted < limit; shard++) {
            deleted += delete.number("shard", shard).number("limit", limit - deleted).update();
          }
          return deleted;
        });
  }

  @Override
  public LimitSweep sweepLimits(String after, int limit) {
    LimitSweep all = new LimitSweep(null, 0, 0);
    for (int i = 0; i < store.shards(); i++) {
      int shard = i;
      all =
          all.plus(
              store.write(
                  (session, now) -> new SqliteLimitSweep(session, now, shard).run(after, limit)));
    }
    return all;
  }
}
