// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitedTask;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_admin.tasks_of_batch")) {
      UUID after = change.after();
      PostgresParameters.uuid(statement, "batch", change.batch());
      PostgresParameters.uuid(statement, "after", after == null ? new UUID(0, 0) : after);
      return statement
          .integer("shard", shard)
          .text("kind", change.kind())
          .integer("limit", LimitStore.MAX_CHANGED)
          .list(row -> LimitedTask.of(COLUMNS, row, change.rules()));
    }
  }

  /** Returns the tasks that it changed. The others are locked, or have ended meanwhile. */
  private Set<UUID> change(Connection connection, String name, List<LimitedTask> tasks)
      throws SQLException {
    Set<UUID> ids = changeLimits(connection, name, tasks);
    List<LimitedTask> changed = tasks.stream().filter(task -> ids.contains(task.id())).toList();
    changeRules(connection, changed);
    recordEvents(connection, changed);
    return ids;
  }

  private Set<UUID> changeLimits(Connection connection, String name, List<LimitedTask> tasks)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, name)) {
      PostgresParameters.instant(
          statement.integer("shard", shard), "now", executor.settings().now());
      PostgresParameters.array(statement, "ids", "uuid", tasks, LimitedTask::id);
      PostgresParameters.array(
          statement, "limits", "text", tasks, task -> TaskLimit.keys(task.limits()));
      PostgresParameters.array(statement, "limit_keys", "text", tasks, LimitedTask::limitKey);
      return Set.copyOf(statement.list(row -> COLUMNS.uuid(row, "id")));
    }
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

  private void recordEvents(Connection connection, List<LimitedTask> tasks) throws SQLException {
    Map<List<String>, TaskLimit> uses = new LinkedHashMap<>();
    for (LimitedTask task : tasks) {
      String queue = Objects.requireNonNull(task.queue());
      task.limits().forEach(limit -> uses.put(List.of(queue, limit.key()), limit));
    }
    if (uses.isEmpty()) {
      return;
    }
    List<List<String>> keys = List.copyOf(uses.keySet());
    List<LimitRule> rules = uses.values().stream().map(TaskLimit::rule).toList();
    try (NamedParameterStatement statement = executor.statement(connection, "limit_event.insert")) {
      PostgresParameters.instant(
          statement.integer("shard", shard), "now", executor.settings().now());
      PostgresParameters.array(statement, "event_queues", "text", keys, List::getFirst);
      PostgresParameters.array(statement, "event_keys", "text", keys, List::getLast);
      PostgresParameters.array(statement, "event_max", "int8", rules, LimitRule::max);
      PostgresParameters.array(
          statement, "event_per_ms", "int8", rules, rule -> SqlTimes.toMillisOrNull(rule.per()));
      PostgresParameters.array(statement, "event_burst", "int4", rules, LimitRule::burst);
      statement.update();
    }
  }
}
