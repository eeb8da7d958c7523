// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitedTask;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads limits, and changes those of tasks. */
final class SqliteLimitStore implements LimitStore {

  private final SqliteStore store;

  SqliteLimitStore(SqliteStore store) {
    this.store = store;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    return store.read(
        (session, now) -> {
          List<LimitUsage> all = new ArrayList<>();
          for (int shard = 0; shard < store.shards(); shard++) {
            List<LimitUsage> found =
                session
                    .statement("limit_admin.list")
                    .number("shard", shard)
                    .text("after", after)
                    .number("limit", limit)
                    .number("max_counted", MAX_COUNTED)
                    .list(SqliteLimitTables.LIMIT_ROWS::usage);
            all.addAll(tables(session, now, shard).withWork(found));
          }
          return LimitReader.page(all, limit);
        });
  }

  @Override
  public Optional<LimitWait> waitOf(UUID task) {
    return store.read(
        (session, now) -> {
          Optional<LimitWait> found =
              session
                  .statement("limit_admin.wait_of")
                  .number("now", now)
                  .number("shard", Shards.of(task))
                  .id("id", task)
                  .number("max_counted", MAX_COUNTED)
                  .one(
                      row ->
                          new LimitWait(
                              SqliteLimitTables.LIMIT_ROWS.usage(row), row.getLong("ahead")));
          if (found.isEmpty()) {
            return found;
          }
          List<LimitUsage> limit = List.of(found.get().limit());
          return Optional.of(
              new LimitWait(
                  tables(session, now, Shards.of(task)).withWork(limit).getFirst(),
                  found.get().ahead()));
        });
  }

  /** Only for reading. */
  private static SqliteLimitTables tables(SqliteSession session, long now, int shard) {
    return new SqliteLimitTables(session, now, shard, List.of(), (any, ids) -> List.of());
  }

  @Override
  public RulesChanged changeRules(RulesChange change) {
    return store.write((session, now) -> changeRules(session, now, change));
  }

  private static RulesChanged changeRules(SqliteSession session, long now, RulesChange change)
      throws SQLException {
    int shard = Shards.of(change.batch());
    UUID after = change.after();
    List<LimitedTask> page =
        session
            .statement("limit_admin.tasks_of_batch")
            .number("shard", shard)
            .id("batch", change.batch())
            .id("after", after == null ? new UUID(0, 0) : after)
            .text("kind", change.kind())
            .number("limit", MAX_CHANGED)
            .list(row -> LimitedTask.of(SqliteColumnReader.INSTANCE, row, change.rules()));
    Map<List<String>, TaskLimit> uses = new LinkedHashMap<>();
    int tasks = 0;
    for (LimitedTask task : page) {
      String queue = task.queue();
      if (queue != null) {
        change(session, shard, change, task);
        task.limits().forEach(limit -> uses.put(List.of(queue, limit.key()), limit));
        tasks++;
      }
    }
    LimitEventWriter events = new LimitEventWriter(session, now);
    for (Map.Entry<List<String>, TaskLimit> use : uses.entrySet()) {
      events.submitted(shard, use.getKey().getFirst(), use.getValue());
    }
    boolean more = page.size() == MAX_CHANGED;
    return new RulesChanged(tasks, more ? page.getLast().id() : null);
  }

  private static void change(SqliteSession session, int shard, RulesChange change, LimitedTask task)
      throws SQLException {
    session
        .statement("limit_admin.change")
        .number("shard", shard)
        .id("id", task.id())
        .text("limits", TaskLimit.keys(task.limits()))
        .text("limit_key", task.limitKey())
        .update();
    session
        .statement("limit_admin.change_rules")
        .number("shard", shard)
        .id("batch", change.batch())
        .id("id", task.id())
        .text("rules", change.rules())
        .update();
  }
}
