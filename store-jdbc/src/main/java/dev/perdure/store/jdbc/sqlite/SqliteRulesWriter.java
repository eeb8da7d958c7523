// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.LimitedTask;
import dev.perdure.store.jdbc.sqlite.TaskLimitWriter.StoredTask;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Gives tasks of a batch other limits, in the writer's transaction. */
final class SqliteRulesWriter {

  private final SqliteSession session;
  private final long now;
  private final RulesChange change;
  private final int shard;

  SqliteRulesWriter(SqliteSession session, long now, RulesChange change) {
    this.session = session;
    this.now = now;
    this.change = change;
    this.shard = Shards.of(change.batch());
  }

  RulesChanged run() throws SQLException {
    List<StoredTask> page = page();
    List<StoredTask> tasks = page.stream().filter(stored -> stored.task().queue() != null).toList();
    TaskLimitWriter writer = new TaskLimitWriter(session, now, shard);
    for (StoredTask stored : tasks) {
      writer.change(stored);
      statement("limit_admin.change_rules")
          .id("batch", change.batch())
          .id("id", stored.task().id())
          .text("rules", change.rules())
          .update();
    }
    writer.describe(tasks);
    boolean more = page.size() == LimitStore.MAX_CHANGED;
    return new RulesChanged(tasks.size(), more ? page.getLast().task().id() : null);
  }

  private List<StoredTask> page() throws SQLException {
    KindLimits kinds = new SqliteKindLimits(session, now, shard).read();
    UUID after = change.after();
    return statement("limit_admin.tasks_of_batch")
        .id("batch", change.batch())
        .id("after", after == null ? new UUID(0, 0) : after)
        .text("kind", change.kind())
        .number("limit", LimitStore.MAX_CHANGED)
        .list(
            row ->
                new StoredTask(
                    LimitedTask.of(SqliteColumnReader.INSTANCE, row, kinds, change.rules()),
                    row.getBoolean("leased")));
  }

  private CachedStatement statement(String name) throws SQLException {
    return session.statement(name).number("shard", shard);
  }
}
