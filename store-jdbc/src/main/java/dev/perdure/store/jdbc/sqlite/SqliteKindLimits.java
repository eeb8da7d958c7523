// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.store.jdbc.sql.LimitRowMapper;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The limits of kinds in one shard, and the tasks that get them, in the writer's transaction. */
final class SqliteKindLimits {

  /** Maximum number of due tasks of a queue among which a claim looks for tasks of such kinds. */
  private static final int MAX_SCANNED = 5_000;

  private final SqliteSession session;
  private final long now;
  private final int shard;

  SqliteKindLimits(SqliteSession session, long now, int shard) {
    this.session = session;
    this.now = now;
    this.shard = shard;
  }

  List<KindLimit> list() throws SQLException {
    return statement("list").list(SqliteLimitTables.LIMIT_ROWS::kindLimit);
  }

  KindLimits read() throws SQLException {
    return new KindLimits(list());
  }

  void set(String kind, List<Limit> limits, KindLimit.Source source) throws SQLException {
    if (limits.isEmpty()) {
      statement("delete").text("kind", kind).update();
    } else {
      statement("put")
          .number("now", now)
          .text("kind", kind)
          .text("rules", LimitRules.write(limits, kind))
          .text("source", source.text())
          .update();
    }
    updateLeased(kind);
    KindLimits kinds = read();
    for (LimitType type : List.of(LimitType.CONCURRENCY, LimitType.RATE)) {
      changeRows(LimitKeys.prefixOfKind(type, kind), kinds);
    }
  }

  private void changeRows(String prefix, KindLimits kinds) throws SQLException {
    LimitRule rule = kinds.rule(prefix + "]").orElseThrow();
    CachedStatement change =
        statement("change")
            .number("now", now)
            .text("end", LimitRowMapper.afterPrefix(prefix))
            .number("max", rule.max())
            .number("per_ms", SqliteValues.millis(rule.per()))
            .number("burst", rule.burst())
            .number("limit", LimitStore.MAX_CHANGED);
    String after = prefix;
    List<String> changed;
    do {
      changed = change.text("after", after).list(row -> row.getString("key"));
      after = changed.stream().max(LimitStore.KEY_ORDER).orElse(after);
    } while (changed.size() == LimitStore.MAX_CHANGED);
  }

  /** Lets claimed and running tasks count in the limits of their kind. */
  private void updateLeased(String kind) throws SQLException {
    KindLimits kinds = read();
    TaskLimitWriter writer = new TaskLimitWriter(session, now, shard);
    CachedStatement find =
        statement("leased").text("kind", kind).number("limit", LimitStore.MAX_CHANGED);
    UUID after = new UUID(0, 0);
    List<TaskLimitWriter.StoredTask> page;
    do {
      page = find.id("after", after).list(row -> TaskLimitWriter.StoredTask.of(row, kinds));
      for (TaskLimitWriter.StoredTask stored : page) {
        if (stored.task().isOutdated()) {
          writer.change(stored);
        }
      }
      after = page.isEmpty() ? after : page.getLast().task().id();
    } while (page.size() == LimitStore.MAX_CHANGED);
  }

  /** Gives due tasks of these queues the limits of their kinds; returns whether there are more. */
  boolean updateDue(Collection<String> queues) throws SQLException {
    KindLimits kinds = read();
    boolean more = false;
    for (String queue : queues) {
      List<TaskLimitWriter.StoredTask> due =
          statement("due")
              .number("now", now)
              .text("queue", queue)
              .number("max_scanned", MAX_SCANNED)
              .number("limit", LimitStore.MAX_CHANGED)
              .list(row -> TaskLimitWriter.StoredTask.of(row, kinds));
      write(due);
      more |= due.size() == LimitStore.MAX_CHANGED;
    }
    return more;
  }

  /** Gives these tasks the limits that their kinds have now. */
  void update(Collection<UUID> tasks) throws SQLException {
    KindLimits kinds = read();
    write(tasks(tasks).list(row -> TaskLimitWriter.StoredTask.of(row, kinds)));
  }

  private void write(List<TaskLimitWriter.StoredTask> tasks) throws SQLException {
    TaskLimitWriter writer = new TaskLimitWriter(session, now, shard);
    for (TaskLimitWriter.StoredTask stored : tasks) {
      writer.change(stored);
    }
    writer.wake(tasks);
  }

  Map<UUID, String> metadata(Collection<UUID> tasks) throws SQLException {
    Map<UUID, String> found = new HashMap<>();
    tasks(tasks)
        .list(
            row -> {
              String json = row.getString("metadata");
              return json == null || found.put(SqliteValues.uuid(row.getBytes("id")), json) == null;
            });
    return found;
  }

  private CachedStatement tasks(Collection<UUID> ids) throws SQLException {
    return statement("tasks").text("ids", SqliteValues.hexJson(List.copyOf(ids)));
  }

  private CachedStatement statement(String name) throws SQLException {
    return session.statement("kind_limit." + name).number("shard", shard);
  }
}
