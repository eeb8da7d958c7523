// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.task.Task;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

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

  /** A batch whose tasks have all ended. */
  private record Ended(int shard, UUID batch, int tasks, long endedAt) {}

  @Override
  public int purge(Duration age, int limit) {
    return store.write(
        (session, now) -> {
          int deleted = 0;
          for (Ended batch : ended(session, now, age, limit)) {
            if (deleted > 0 && deleted + batch.tasks() > limit) {
              break;
            }
            delete(session, batch);
            deleted += batch.tasks();
          }
          return deleted;
        });
  }

  private List<Ended> ended(Session session, long now, Duration age, int limit)
      throws SQLException {
    List<Ended> ended = new ArrayList<>();
    Prepared expired =
        session
            .sql("batch.expired")
            .number("now", now)
            .number("age_ms", Values.millis(age))
            .number("limit", limit);
    for (int shard = 0; shard < store.shards(); shard++) {
      int from = shard;
      ended.addAll(
          expired
              .number("shard", shard)
              .rows(
                  row ->
                      new Ended(
                          from,
                          Values.uuid(row.getBytes("batch")),
                          row.getInt("tasks"),
                          row.getLong("ended_at"))));
    }
    ended.sort(Comparator.comparingLong(Ended::endedAt));
    return ended;
  }

  private static void delete(Session session, Ended ended) throws SQLException {
    // The definitions go after what is found through them.
    for (String table : List.of("attempt", "task_state", "task", "batch")) {
      session
          .sql(table + ".purge")
          .number("shard", ended.shard())
          .id("batch", ended.batch())
          .update();
    }
  }
}
