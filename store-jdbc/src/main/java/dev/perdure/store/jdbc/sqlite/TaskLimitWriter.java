// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitedTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Writes which limits tasks of one shard have, in the writer's transaction. */
final class TaskLimitWriter {

  private final SqliteSession session;
  private final long now;
  private final int shard;
  private final LimitEventWriter events;

  TaskLimitWriter(SqliteSession session, long now, int shard) {
    this.session = session;
    this.now = now;
    this.shard = shard;
    this.events = new LimitEventWriter(session, now);
  }

  /** A task before the change. */
  record StoredTask(LimitedTask task, boolean leased) {

    static StoredTask of(ResultSet row, KindLimits kinds) throws SQLException {
      return new StoredTask(
          LimitedTask.of(SqliteColumnReader.INSTANCE, row, kinds), row.getBoolean("leased"));
    }
  }

  /** Gives the task its new limits. A leased one exchanges its places. */
  void change(StoredTask stored) throws SQLException {
    LimitedTask task = stored.task();
    statement("limit_admin.change")
        .id("id", task.id())
        .text("limits", TaskLimit.keys(task.limits()))
        .text("limit_key", task.limitKey())
        .update();
    if (stored.leased()) {
      exchangePlaces(task, Objects.requireNonNull(task.queue()));
    }
  }

  /** A leased task leaves its places in the old limits and takes places in the new ones. */
  private void exchangePlaces(LimitedTask task, String queue) throws SQLException {
    for (String key : task.keys()) {
      if (task.limits().stream().noneMatch(limit -> limit.key().equals(key))) {
        events.freed(shard, queue, key);
      }
    }
    for (TaskLimit limit : task.limits()) {
      if (!task.keys().contains(limit.key())) {
        occupy(limit, queue);
      }
    }
  }

  private void occupy(TaskLimit limit, String queue) throws SQLException {
    statement("limit_admin.occupy")
        .number("now", now)
        .text("key", limit.key())
        .text("queue", queue)
        .text("type", limit.rule().type().text())
        .number("max", limit.rule().max())
        .number("per_ms", SqliteValues.millis(limit.rule().per()))
        .number("burst", limit.rule().burst())
        .update();
  }

  /** Records that tasks wait for their limits, and how much these allow. */
  void describe(List<StoredTask> tasks) throws SQLException {
    Map<List<String>, TaskLimit> uses = new LinkedHashMap<>();
    for (StoredTask stored : tasks) {
      String queue = Objects.requireNonNull(stored.task().queue());
      stored.task().limits().forEach(limit -> uses.put(List.of(queue, limit.key()), limit));
    }
    for (Map.Entry<List<String>, TaskLimit> use : uses.entrySet()) {
      events.submitted(shard, use.getKey().getFirst(), use.getValue());
    }
  }

  /** Records that tasks wait for their limits. */
  void wake(List<StoredTask> tasks) throws SQLException {
    Set<List<String>> uses = new LinkedHashSet<>();
    for (StoredTask stored : tasks) {
      String queue = Objects.requireNonNull(stored.task().queue());
      stored.task().limits().forEach(limit -> uses.add(List.of(queue, limit.key())));
    }
    for (List<String> use : uses) {
      events.waiting(shard, use.getFirst(), use.getLast());
    }
  }

  private CachedStatement statement(String name) throws SQLException {
    return session.statement(name).number("shard", shard);
  }
}
