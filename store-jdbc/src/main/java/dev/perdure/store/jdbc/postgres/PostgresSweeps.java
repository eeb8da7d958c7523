// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.Purge;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Looks, shard by shard, for what needs a decision because time has passed. */
final class PostgresSweeps implements Sweeps {

  private final Session session;
  private final TaskRows rows;

  PostgresSweeps(Session session, TaskRows rows) {
    this.session = session;
    this.rows = rows;
  }

  @Override
  public Reading orphans(int limit) {
    return read("orphans", limit);
  }

  @Override
  public Reading silent(int limit) {
    return read("silent", limit);
  }

  @Override
  public Reading pastDeadline(int limit) {
    return read("past_deadline", limit);
  }

  private Reading read(String name, int limit) {
    return session.repeatedly(name, (connection, unsure) -> read(connection, name, limit));
  }

  private Reading read(Connection connection, String name, int limit) throws SQLException {
    List<Task> tasks = new ArrayList<>();
    Instant now = session.now(connection);
    for (int shard = 0; shard < session.settings().shards() && tasks.size() < limit; shard++) {
      try (Call call = session.call(connection, "task_shown." + name)) {
        Params.instant(call, "now", now);
        ResultSet found = call.count("shard", shard).count("limit", limit - tasks.size()).query();
        while (found.next()) {
          tasks.add(rows.task(found));
        }
      }
    }
    return new Reading(tasks, now);
  }

  @Override
  public int purge(Duration age, int limit) {
    return new Purge() {
      @Override
      public int delete(int shard) {
        return session.repeatedly(
            "purge", (connection, unsure) -> PostgresSweeps.this.delete(connection, shard, limit));
      }

      @Override
      public int look(int shard) {
        return session.repeatedly(
            "purge",
            (connection, unsure) -> PostgresSweeps.this.look(connection, shard, age, limit));
      }
    }.run(session.settings().shards());
  }

  private int delete(Connection connection, int shard, int limit) throws SQLException {
    try (Call call = session.call(connection, "batch.purge")) {
      Params.instant(call, "now", session.settings().now());
      ResultSet row = call.count("shard", shard).count("limit", limit).query();
      row.next();
      return row.getInt("tasks");
    }
  }

  int look(Connection connection, int shard, Duration age, int limit) throws SQLException {
    try (Call call = session.call(connection, "batch.look")) {
      Params.instant(call, "now", session.settings().now());
      return call.count("shard", shard)
          .number("age_ms", Lengths.millis(age))
          .count("limit", limit)
          .update();
    }
  }

  @Override
  public int forget(int limit) {
    int forgotten = 0;
    for (int shard = 0; shard < session.settings().shards() && forgotten < limit; shard++) {
      int which = shard;
      int left = limit - forgotten;
      forgotten +=
          session.repeatedly("forget", (connection, unsure) -> forget(connection, which, left));
    }
    return forgotten;
  }

  private int forget(Connection connection, int shard, int limit) throws SQLException {
    try (Call call = session.call(connection, "submission_key.forget")) {
      Params.instant(call, "now", session.settings().now());
      return call.count("shard", shard)
          .number("kept_ms", Lengths.millis(Submission.KEY_KEPT))
          .count("limit", limit)
          .update();
    }
  }
}
