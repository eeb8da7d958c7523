// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitedTask;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Gives tasks of a batch other limits, in the writer's transaction. */
final class SqliteRulesWriter {

  private final SqliteSession session;
  private final long now;
  private final RulesChange change;
  private final int shard;
  private final LimitEventWriter events;

  SqliteRulesWriter(SqliteSession session, long now, RulesChange change) {
    this.session = session;
    this.now = now;
    this.change = change;
    this.shard = Shards.of(change.batch());
    this.events = new LimitEventWriter(session, now);
  }

  /**
   * A task before the change.
   *
   * @param task with its new limits
   * @param limits the keys of its old limits
   */
  private record StoredTask(LimitedTask task, List<String> limits, boolean leased) {}

  RulesChanged run() throws SQLException {
    List<StoredTask> page = page();
    Map<List<String>, TaskLimit> uses = new LinkedHashMap<>();
    int tasks = 0;
    for (StoredTask stored : page) {
      LimitedTask task = stored.task();
      String queue = task.queue();
      if (queue != null) {
        change(task);
        if (stored.leased()) {
          exchangePlaces(stored, queue);
        }
        task.limits().forEach(limit -> uses.put(List.of(queue, limit.key()), limit));
        tasks++;
      }
    }
    for (Map.Entry<List<String>, TaskLimit> use : uses.entrySet()) {
      events.submitted(shard, use.getKey().getFirst(), use.getValue());
    }
    boolean more = page.size() == LimitStore.MAX_CHANGED;
    return new RulesChanged(tasks, more ? page.getLast().task().id() : null);
  }

  private List<StoredTask> page() throws SQLException {
    UUID after = change.after();
    return statement("limit_admin.tasks_of_batch")
        .id("batch", change.batch())
        .id("after", after == null ? new UUID(0, 0) : after)
        .text("kind", change.kind())
        .number("limit", LimitStore.MAX_CHANGED)
        .list(
            row ->
                new StoredTask(
                    LimitedTask.of(SqliteColumnReader.INSTANCE, row, change.rules()),
                    TaskLimit.keys(row.getString("limits")),
                    row.getBoolean("leased")));
  }

  private void change(LimitedTask task) throws SQLException {
    statement("limit_admin.change")
        .id("id", task.id())
        .text("limits", TaskLimit.keys(task.limits()))
        .text("limit_key", task.limitKey())
        .update();
    statement("limit_admin.change_rules")
        .id("batch", change.batch())
        .id("id", task.id())
        .text("rules", change.rules())
        .update();
  }

  /** A leased task leaves its places in the old limits and takes places in the new ones. */
  private void exchangePlaces(StoredTask stored, String queue) throws SQLException {
    List<TaskLimit> limits = stored.task().limits();
    for (String key : stored.limits()) {
      if (limits.stream().noneMatch(limit -> limit.key().equals(key))) {
        events.freed(shard, queue, key);
      }
    }
    for (TaskLimit limit : limits) {
      if (!stored.limits().contains(limit.key())) {
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

  private CachedStatement statement(String name) throws SQLException {
    return session.statement(name).number("shard", shard);
  }
}
