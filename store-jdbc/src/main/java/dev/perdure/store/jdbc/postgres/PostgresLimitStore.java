// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitRowMapper;
import dev.perdure.store.jdbc.sql.LimitedTask;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Reads limits, and changes those of tasks. */
final class PostgresLimitStore implements LimitStore {

  private static final PostgresColumnReader COLUMNS = new PostgresColumnReader();

  private final PostgresExecutor executor;
  private final LimitRowMapper rowMapper = new LimitRowMapper(new PostgresColumnReader());

  PostgresLimitStore(PostgresExecutor executor) {
    this.executor = executor;
  }

  @Override
  public List<LimitUsage> list(String after, int limit) {
    List<LimitUsage> all = new ArrayList<>();
    for (int i = 0; i < executor.settings().shards(); i++) {
      int shard = i;
      all.addAll(
          executor.runIdempotent(
              "list limits",
              (connection, mayHaveCommitted) -> {
                try (NamedParameterStatement statement =
                    executor.statement(connection, "limit_admin.list")) {
                  List<LimitUsage> found =
                      statement
                          .integer("shard", shard)
                          .text("after", after)
                          .integer("limit", limit)
                          .integer("max_counted", MAX_COUNTED)
                          .list(rowMapper::usage);
                  return tables(connection, shard).withWork(found);
                }
              }));
    }
    return LimitReader.page(all, limit);
  }

  @Override
  public Optional<LimitWait> waitOf(UUID task) {
    return executor.runIdempotent(
        "find the limit of a task",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "limit_admin.wait_of")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            PostgresParameters.uuid(statement.integer("shard", Shards.of(task)), "id", task);
            ResultSet row = statement.integer("max_counted", MAX_COUNTED).query();
            if (!row.next()) {
              return Optional.empty();
            }
            List<LimitUsage> found = List.of(rowMapper.usage(row));
            LimitUsage limit = tables(connection, Shards.of(task)).withWork(found).getFirst();
            return Optional.of(new LimitWait(limit, row.getLong("ahead")));
          }
        });
  }

  @Override
  public RulesChanged changeRules(RulesChange change) {
    return executor.runIdempotent(
        "change rules",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(connection, (same, again) -> changeRules(same, change)));
  }

  private RulesChanged changeRules(Connection connection, RulesChange change) throws SQLException {
    int shard = Shards.of(change.batch());
    List<LimitedTask> page = page(connection, change);
    List<LimitedTask> tasks = page.stream().filter(task -> task.queue() != null).toList();
    try (NamedParameterStatement statement = executor.statement(connection, "limit_admin.change")) {
      PostgresParameters.array(
          statement.integer("shard", shard), "ids", "uuid", tasks, LimitedTask::id);
      PostgresParameters.array(
          statement, "limits", "text", tasks, task -> TaskLimit.keys(task.limits()));
      PostgresParameters.array(statement, "limit_keys", "text", tasks, LimitedTask::limitKey);
      statement.update();
    }
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_admin.change_rules")) {
      PostgresParameters.uuid(statement.text("rules", change.rules()), "batch", change.batch());
      PostgresParameters.array(
          statement.integer("shard", shard), "ids", "uuid", tasks, LimitedTask::id);
      statement.update();
    }
    recordEvents(connection, shard, tasks);
    boolean more = page.size() == MAX_CHANGED;
    return new RulesChanged(tasks.size(), more ? page.getLast().id() : null);
  }

  private List<LimitedTask> page(Connection connection, RulesChange change) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_admin.tasks_of_batch")) {
      UUID after = change.after();
      PostgresParameters.uuid(statement, "batch", change.batch());
      PostgresParameters.uuid(statement, "after", after == null ? new UUID(0, 0) : after);
      return statement
          .integer("shard", Shards.of(change.batch()))
          .text("kind", change.kind())
          .integer("limit", MAX_CHANGED)
          .list(row -> LimitedTask.of(COLUMNS, row, change.rules()));
    }
  }

  private void recordEvents(Connection connection, int shard, List<LimitedTask> tasks)
      throws SQLException {
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

  /** Only for reading. */
  private PostgresLimitTables tables(Connection connection, int shard) {
    return new PostgresLimitTables(executor, connection, shard, List.of(), statement -> {});
  }
}
