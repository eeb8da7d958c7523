// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.LimitedTask;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Gives tasks of a batch other limits. Those whose rows are free change in one transaction. A
 * handler can keep the row of its task locked for long, so each of the others changes in a
 * transaction of its own, which waits but locks nothing else.
 */
final class PostgresRulesWriter {

  private static final PostgresColumnReader COLUMNS = new PostgresColumnReader();

  private final PostgresExecutor executor;
  private final RulesChange change;
  private final int shard;

  PostgresRulesWriter(PostgresExecutor executor, RulesChange change) {
    this.executor = executor;
    this.change = change;
    this.shard = Shards.of(change.batch());
  }

  private record ChangedPage(RulesChanged changed, List<LimitedTask> left) {}

  RulesChanged run() {
    ChangedPage page = inTransaction(this::changePage);
    for (LimitedTask task : page.left()) {
      inTransaction(connection -> change(connection, "limit_admin.change_locked", List.of(task)));
    }
    return page.changed();
  }

  /** Runs in one transaction. */
  @FunctionalInterface
  private interface Step<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T inTransaction(Step<T> step) {
    return executor.runIdempotent(
        "change rules",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(connection, (same, again) -> step.run(same)));
  }

  private ChangedPage changePage(Connection connection) throws SQLException {
    List<LimitedTask> page = page(connection);
    List<LimitedTask> tasks = page.stream().filter(task -> task.queue() != null).toList();
    Set<UUID> changed = change(connection, "limit_admin.change", tasks);
    boolean more = page.size() == LimitStore.MAX_CHANGED;
    return new ChangedPage(
        new RulesChanged(tasks.size(), more ? page.getLast().id() : null),
        tasks.stream().filter(task -> !changed.contains(task.id())).toList());
  }

  private List<LimitedTask> page(Connection connection) throws SQLException {
    KindLimits kinds = new PostgresKindLimits(executor, connection, shard).read();
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_admin.tasks_of_batch")) {
      UUID after = change.after();
      PostgresParameters.uuid(statement, "batch", change.batch());
      PostgresParameters.uuid(statement, "after", after == null ? new UUID(0, 0) : after);
      return statement
          .integer("shard", shard)
          .text("kind", change.kind())
          .integer("limit", LimitStore.MAX_CHANGED)
          .list(row -> LimitedTask.of(COLUMNS, row, kinds, change.rules()));
    }
  }

  /** Returns the tasks that it changed. The others are locked, or have ended meanwhile. */
  private Set<UUID> change(Connection connection, String name, List<LimitedTask> tasks)
      throws SQLException {
    TaskLimitWriter writer = new TaskLimitWriter(executor, connection, shard);
    Set<UUID> ids = writer.change(name, tasks);
    List<LimitedTask> changed = tasks.stream().filter(task -> ids.contains(task.id())).toList();
    changeRules(connection, changed);
    writer.describe(changed);
    return ids;
  }

  private void changeRules(Connection connection, List<LimitedTask> tasks) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_admin.change_rules")) {
      PostgresParameters.uuid(statement.text("rules", change.rules()), "batch", change.batch());
      PostgresParameters.array(
          statement.integer("shard", shard), "ids", "uuid", tasks, LimitedTask::id);
      statement.update();
    }
  }
}
