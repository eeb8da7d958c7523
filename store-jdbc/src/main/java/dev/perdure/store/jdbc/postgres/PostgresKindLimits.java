// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitRowMapper;
import dev.perdure.store.jdbc.sql.LimitedTask;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** The limits of kinds in one shard, and the tasks that get them. */
final class PostgresKindLimits {

  private static final PostgresColumnReader COLUMNS = new PostgresColumnReader();
  private static final LimitRowMapper ROWS = new LimitRowMapper(COLUMNS);
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Maximum number of due tasks of a queue among which a claim looks for tasks of such kinds. */
  private static final int MAX_SCANNED = 5_000;

  private final PostgresExecutor executor;
  private final Connection connection;
  private final int shard;
  private final TaskLimitWriter writer;

  PostgresKindLimits(PostgresExecutor executor, Connection connection, int shard) {
    this.executor = executor;
    this.connection = connection;
    this.shard = shard;
    this.writer = new TaskLimitWriter(executor, connection, shard);
  }

  List<KindLimit> list() throws SQLException {
    try (NamedParameterStatement statement = statement("list")) {
      return statement.list(ROWS::kindLimit);
    }
  }

  /**
   * Sets the limits of a kind, and lets running tasks count in them. It waits for claims that have
   * read the old limits, but not for a dump of the database, which has locked the table as well.
   * Then the next sweep finds what such a claim has started.
   */
  void set(String kind, List<Limit> limits, KindLimit.Source source) throws SQLException {
    try {
      PostgresExecutor.inTransaction(
          connection,
          (same, again) -> {
            lock();
            return setInTransaction(kind, limits, source);
          });
    } catch (SQLException e) {
      if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw e;
      }
      PostgresExecutor.inTransaction(
          connection, (same, again) -> setInTransaction(kind, limits, source));
    }
    KindLimits kinds = read();
    for (LimitType type : List.of(LimitType.CONCURRENCY, LimitType.RATE)) {
      changeRows(LimitKeys.prefixOfKind(type, kind), kinds);
    }
  }

  private void lock() throws SQLException {
    try (NamedParameterStatement timeout =
            executor.statement(connection, "kind_limit.lock_timeout");
        NamedParameterStatement lock = executor.statement(connection, "kind_limit.lock")) {
      timeout.query();
      lock.update();
    }
  }

  private boolean setInTransaction(String kind, List<Limit> limits, KindLimit.Source source)
      throws SQLException {
    if (limits.isEmpty()) {
      try (NamedParameterStatement statement = statement("delete")) {
        statement.text("kind", kind).update();
      }
    } else {
      try (NamedParameterStatement statement = statementAtNow("put")) {
        statement
            .text("kind", kind)
            .text("rules", LimitRules.write(limits, kind))
            .text("source", source.text())
            .update();
      }
    }
    return updateLeased(Set.of(kind)) > 0;
  }

  private void changeRows(String prefix, KindLimits kinds) throws SQLException {
    LimitRule rule = kinds.rule(prefix + "]").orElseThrow();
    String after = prefix;
    List<String> changed;
    do {
      try (NamedParameterStatement statement = statementAtNow("change")) {
        changed =
            statement
                .text("after", after)
                .text("end", LimitRowMapper.afterPrefix(prefix))
                .number("max", rule.max())
                .number("per_ms", SqlTimes.toMillisOrNull(rule.per()))
                .integer("burst", rule.burst())
                .integer("limit", LimitStore.MAX_CHANGED)
                .list(row -> row.getString("key"));
      }
      after = changed.stream().max(LimitStore.KEY_ORDER).orElse(after);
    } while (changed.size() == LimitStore.MAX_CHANGED);
  }

  /**
   * Lets claimed and running tasks count in the limits of these kinds; returns how many changed.
   */
  int updateLeased(Collection<String> ofKinds) throws SQLException {
    KindLimits kinds = read();
    int changed = 0;
    UUID after = new UUID(0, 0);
    List<LimitedTask> page;
    do {
      page = leased(ofKinds, after, kinds);
      changed += updateLeased(page.stream().filter(LimitedTask::isOutdated).toList());
      after = page.isEmpty() ? after : page.getLast().id();
    } while (page.size() == LimitStore.MAX_CHANGED);
    return changed;
  }

  private List<LimitedTask> leased(Collection<String> ofKinds, UUID after, KindLimits kinds)
      throws SQLException {
    try (NamedParameterStatement statement = statement("leased")) {
      texts(statement, "kinds", ofKinds);
      PostgresParameters.uuid(statement, "after", after);
      return statement
          .integer("limit", LimitStore.MAX_CHANGED)
          .list(row -> LimitedTask.of(COLUMNS, row, kinds));
    }
  }

  /**
   * An event that takes a place needs the row of its limit, because no waiting task describes it.
   */
  private int updateLeased(List<LimitedTask> outdated) throws SQLException {
    create(outdated);
    return outdated.isEmpty() ? 0 : writer.change("limit_admin.change", outdated).size();
  }

  /** Creates the limits of these tasks that have no row. */
  private void create(List<LimitedTask> tasks) throws SQLException {
    Map<String, TaskLimit> limits = new TreeMap<>();
    Map<String, String> queueByKey = new HashMap<>();
    for (LimitedTask task : tasks) {
      for (TaskLimit limit : task.limits()) {
        limits.put(limit.key(), limit);
        queueByKey.put(limit.key(), Objects.requireNonNull(task.queue()));
      }
    }
    if (!limits.isEmpty()) {
      writer.create(List.copyOf(limits.values()), queueByKey);
    }
  }

  /** Gives due tasks of these queues the limits of their kinds; returns whether there were any. */
  boolean updateDue(List<String> queues) throws SQLException {
    KindLimits kinds = read();
    if (kinds.isEmpty()) {
      return false;
    }
    try (NamedParameterStatement statement = statementAtNow("due")) {
      texts(statement, "queues", queues);
      texts(statement, "kinds", kinds.kinds());
      List<LimitedTask> due =
          statement
              .integer("max_scanned", MAX_SCANNED)
              .integer("limit", LimitStore.MAX_CHANGED)
              .list(row -> LimitedTask.of(COLUMNS, row, kinds));
      create(due);
      return write(due);
    }
  }

  /** Gives these tasks the limits that their kinds have now. */
  void update(Collection<UUID> tasks) throws SQLException {
    KindLimits kinds = read();
    try (NamedParameterStatement statement = tasks(tasks)) {
      write(statement.list(row -> LimitedTask.of(COLUMNS, row, kinds)));
    }
  }

  private boolean write(List<LimitedTask> tasks) throws SQLException {
    if (tasks.isEmpty()) {
      return false;
    }
    Set<UUID> changed = writer.change("limit_admin.change", tasks);
    writer.wake(tasks.stream().filter(task -> changed.contains(task.id())).toList());
    return !changed.isEmpty();
  }

  Map<UUID, String> metadata(Collection<UUID> tasks) throws SQLException {
    Map<UUID, String> found = new HashMap<>();
    try (NamedParameterStatement statement = tasks(tasks)) {
      ResultSet row = statement.query();
      while (row.next()) {
        String json = row.getString("metadata");
        if (json != null) {
          found.put(COLUMNS.uuid(row, "id"), json);
        }
      }
    }
    return found;
  }

  private NamedParameterStatement tasks(Collection<UUID> ids) throws SQLException {
    NamedParameterStatement statement = statement("tasks");
    PostgresParameters.array(statement, "ids", "uuid", List.copyOf(ids), id -> id);
    return statement;
  }

  KindLimits read() throws SQLException {
    return new KindLimits(list());
  }

  private static void texts(
      NamedParameterStatement statement, String parameter, Collection<String> values)
      throws SQLException {
    PostgresParameters.array(statement, parameter, "text", List.copyOf(values), value -> value);
  }

  private NamedParameterStatement statementAtNow(String name) throws SQLException {
    NamedParameterStatement statement = statement(name);
    PostgresParameters.instant(statement, "now", executor.settings().now());
    return statement;
  }

  private NamedParameterStatement statement(String name) throws SQLException {
    return executor.statement(connection, "kind_limit." + name).integer("shard", shard);
  }
}
