// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.LimitTables;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitedTask;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes which limits tasks of one shard have. */
final class TaskLimitWriter {

  private static final PostgresColumnReader COLUMNS = new PostgresColumnReader();

  private final PostgresExecutor executor;
  private final Connection connection;
  private final int shard;

  TaskLimitWriter(PostgresExecutor executor, Connection connection, int shard) {
    this.executor = executor;
    this.connection = connection;
    this.shard = shard;
  }

  /**
   * Gives tasks other limits; leased ones exchange their places.
   *
   * @param name the statement; one of them waits for tasks that another transaction has locked
   * @return the tasks that it changed; the others are locked, or have ended meanwhile
   */
  Set<UUID> change(String name, List<LimitedTask> tasks) throws SQLException {
    try (NamedParameterStatement statement = statement(name)) {
      PostgresParameters.array(statement, "ids", "uuid", tasks, LimitedTask::id);
      PostgresParameters.array(
          statement, "limits", "text", tasks, task -> TaskLimit.keys(task.limits()));
      PostgresParameters.array(statement, "limit_keys", "text", tasks, LimitedTask::limitKey);
      return Set.copyOf(statement.list(row -> COLUMNS.uuid(row, "id")));
    }
  }

  /** Records that tasks wait for their limits, and how much these allow. */
  void describe(List<LimitedTask> tasks) throws SQLException {
    record(tasks, true);
  }

  /** Records that tasks wait for their limits. */
  void wake(List<LimitedTask> tasks) throws SQLException {
    record(tasks, false);
  }

  private void record(List<LimitedTask> tasks, boolean describes) throws SQLException {
    Map<List<String>, @Nullable LimitRule> uses = new LinkedHashMap<>();
    for (LimitedTask task : tasks) {
      String queue = Objects.requireNonNull(task.queue());
      task.limits()
          .forEach(limit -> uses.put(List.of(queue, limit.key()), describes ? limit.rule() : null));
    }
    if (uses.isEmpty()) {
      return;
    }
    List<List<String>> keys = List.copyOf(uses.keySet());
    try (NamedParameterStatement statement = statement("limit_event.insert")) {
      PostgresParameters.array(statement, "event_queues", "text", keys, List::getFirst);
      PostgresParameters.array(statement, "event_keys", "text", keys, List::getLast);
      rules(statement, "event_", new ArrayList<>(uses.values()));
      statement.update();
    }
  }

  /** Creates the rows of limits that have none. */
  void create(List<TaskLimit> limits, Map<String, String> queueByKey) throws SQLException {
    try (NamedParameterStatement statement = statement("limit.create")) {
      PostgresParameters.array(statement, "keys", "text", limits, TaskLimit::key);
      PostgresParameters.array(
          statement,
          "limit_queues",
          "text",
          limits,
          limit -> queueByKey.getOrDefault(limit.key(), LimitTables.ANY_QUEUE));
      PostgresParameters.array(
          statement, "types", "text", limits, limit -> limit.rule().type().text());
      rules(statement, "", limits.stream().map(TaskLimit::rule).toList());
      statement.update();
    }
  }

  /** Binds how much limits allow, as columns of arrays. */
  static void rules(
      NamedParameterStatement statement, String prefix, List<? extends @Nullable LimitRule> rules)
      throws SQLException {
    PostgresParameters.array(
        statement, prefix + "max", "int8", rules, rule -> rule == null ? null : rule.max());
    PostgresParameters.array(
        statement,
        prefix + "per_ms",
        "int8",
        rules,
        rule -> rule == null ? null : SqlTimes.toMillisOrNull(rule.per()));
    PostgresParameters.array(
        statement, prefix + "burst", "int4", rules, rule -> rule == null ? null : rule.burst());
  }

  private NamedParameterStatement statement(String name) throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.instant(statement, "now", executor.settings().now());
    return statement.integer("shard", shard);
  }
}
