// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskLimit;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records what happens to limits in the session's current transaction. */
final class LimitEventWriter {

  private final SqliteSession session;
  private final long now;

  LimitEventWriter(SqliteSession session, long now) {
    this.session = session;
    this.now = now;
  }

  /**
   * A task that has changed.
   *
   * @param limits the keys of its limits
   * @param observed whether something must learn of its end
   * @param waits whether a claim can take it when its limits allow it
   */
  record LimitedTask(List<String> limits, String queue, boolean observed, boolean waits) {}

  LimitedTask find(UUID task) throws SQLException {
    return session
        .statement("limit.of_task")
        .number("shard", Shards.of(task))
        .id("id", task)
        .one(LimitEventWriter::task)
        .orElseThrow();
  }

  private static LimitedTask task(ResultSet row) throws SQLException {
    return new LimitedTask(
        TaskLimit.keys(row.getString("limits")),
        row.getString("queue"),
        row.getBoolean("observed"),
        row.getBoolean("waits"));
  }

  /** Records that a task stopped running, or waits from now on. */
  void changed(UUID task, LimitedTask found, boolean freed) throws SQLException {
    for (String key : found.limits()) {
      insert(Shards.of(task), found.queue(), key, freed ? 1 : 0, null);
    }
  }

  /** Records that a running task no longer has a limit. */
  void freed(int shard, String queue, String key) throws SQLException {
    insert(shard, queue, key, 1, null);
  }

  /** Records that tasks wait for a limit. */
  void waiting(int shard, String queue, String key) throws SQLException {
    insert(shard, queue, key, 0, null);
  }

  /** Records that tasks wait, and how much their limits allow. */
  void submitted(int shard, String queue, TaskLimit limit) throws SQLException {
    insert(shard, queue, limit.key(), 0, limit.rule());
  }

  private void insert(int shard, String queue, String key, long freed, @Nullable LimitRule rule)
      throws SQLException {
    session
        .statement("limit_event.insert")
        .number("now", now)
        .number("shard", shard)
        .text("queue", queue)
        .text("key", key)
        .number("freed", freed)
        .number("max", rule == null ? null : (Long) rule.max())
        .number("per_ms", rule == null ? null : SqliteValues.millis(rule.per()))
        .number("burst", rule == null ? null : (Long) (long) rule.burst())
        .update();
  }
}
