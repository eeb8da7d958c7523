// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What needs a decision because time has passed. */
final class SqliteSweeps implements Sweeps {

  private final SqliteStore store;

  SqliteSweeps(SqliteStore store) {
    this.store = store;
  }

  @Override
  public Reading orphans(int limit) {
    return sweep("task_shown.orphans", limit);
  }

  @Override
  public Reading silent(int limit) {
    return sweep("task_shown.silent", limit);
  }

  @Override
  public Reading pastDeadline(int limit) {
    return sweep("task_shown.past_deadline", limit);
  }

  private Reading sweep(String statement, int limit) {
    return store.read(
        (session, now) -> {
          List<Task> tasks = new ArrayList<>();
          Prepared sweep = session.sql(statement).number("now", now);
          for (int shard = 0; shard < store.shards() && tasks.size() < limit; shard++) {
            tasks.addAll(
                sweep
                    .number("shard", shard)
                    .number("limit", limit - tasks.size())
                    .rows(SqliteColumns.ROWS::task));
          }
          return new Reading(tasks, Instant.ofEpochMilli(now));
        });
  }

  @Override
  public int purge(Duration age, int limit) {
    return new SqlitePurge(store, age, limit).run(store.shards());
  }

  @Override
  public int forget(int limit) {
    return store.write(
        (session, now) -> {
          Prepared forget =
              session
                  .sql("submission_key.forget")
                  .number("now", now)
                  .number("kept_ms", Submission.KEY_KEPT.toMillis());
          int forgotten = 0;
          for (int shard = 0; shard < store.shards() && forgotten < limit; shard++) {
            forgotten += forget.number("shard", shard).number("limit", limit - forgotten).update();
          }
          return forgotten;
        });
  }
}
