// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.spi.KindLimits;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.spi.LimitTables;
import dev.perdure.engine.spi.LimitedClaim;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.store.jdbc.sql.LimitRowMapper;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The limits of one shard, on a connection with an open transaction. */
final class PostgresLimitTables implements LimitTables<SQLException> {

  private final PostgresExecutor executor;
  private final Connection connection;
  private final int shard;
  private final List<String> queues;
  private final ClaimBinder claim;
  private final PostgresColumnReader columns = new PostgresColumnReader();
  private final TaskRowMapper rowMapper = new TaskRowMapper(columns);
  private final LimitRowMapper limitRows = new LimitRowMapper(columns);
  private final List<String> missing = new ArrayList<>();
  private final Map<String, UUID> missingOfTasks = new HashMap<>();
  private boolean hasKinds;
  private @Nullable Instant openedAt;

  /** Binds who claims, and for how long. */
  @FunctionalInterface
  interface ClaimBinder {
    void bind(NamedParameterStatement statement) throws SQLException;
  }

  PostgresLimitTables(
      PostgresExecutor executor,
      Connection connection,
      int shard,
      List<String> queues,
      ClaimBinder claim) {
    this.executor = executor;
    this.connection = connection;
    this.shard = shard;
    this.queues = List.copyOf(queues);
    this.claim = claim;
  }

  /** Collects the rows of {@code limit.open}, of which each limit has one per waiting task. */
  private final class Opening {

    private final Map<String, OpenLimit> limits = new LinkedHashMap<>();
    private final Map<String, List<WaitingTask>> waiting = new HashMap<>();
    private final List<String> missing = new ArrayList<>();
    private boolean skipped;
    private boolean hasKinds;
    private @Nullable Instant now;

    void add(ResultSet row) throws SQLException {
      now = rowMapper.instant(row, "now");
      skipped |= row.getBoolean("skipped");
      hasKinds |= row.getBoolean("has_kinds");
      String key = row.getString("key");
      if (key == null) {
        return;
      }
      if (row.getBoolean("missing")) {
        missing.add(key);
      } else {
        if (!limits.containsKey(key)) {
          limits.put(
              key, new OpenLimit(limitRows.limit(row), rowMapper.instant(row, "since"), List.of()));
        }
        if (row.getObject("id") != null) {
          waiting.computeIfAbsent(key, any -> new ArrayList<>()).add(limitRows.waiting(row));
        }
      }
    }

    OpenLimits result(KindLimits kinds) {
      List<OpenLimit> all =
          limits.values().stream()
              .map(
                  one ->
                      new OpenLimit(
                          one.limit(),
                          one.since(),
                          waiting.getOrDefault(one.limit().key(), List.of())))
              .toList();
      return new OpenLimits(requireNonNull(now), all, skipped, kinds);
    }
  }

  @Override
  public OpenLimits open(int maxLimits, int maxTasks) throws SQLException {
    Opening opening = new Opening();
    try (NamedParameterStatement statement = statement("limit.open")) {
      statement
          .integer("max_events", Math.min(4 * maxLimits, LimitedClaim.MAX_EVENTS))
          .integer("max_events_of_key", LimitedClaim.MAX_EVENTS_OF_LIMIT)
          .integer("max_limits", maxLimits)
          .integer("limit", maxTasks);
      texts(statement, "queues", queues);
      ResultSet row = statement.query();
      while (row.next()) {
        opening.add(row);
      }
    }
    missing.addAll(opening.missing);
    hasKinds = opening.hasKinds;
    OpenLimits opened = opening.result(hasKinds ? kindLimits().read() : KindLimits.NONE);
    openedAt = opened.now();
    return opened;
  }

  @Override
  public List<WaitingTask> waiting(String key, int maxTasks) throws SQLException {
    try (NamedParameterStatement statement = statementAtOpening("limit.waiting")) {
      texts(statement.text("key", key), "queues", queues);
      return statement.integer("limit", maxTasks).list(limitRows::waiting);
    }
  }

  @Override
  public Map<String, LaterTasks> later(Map<LimitRow, Integer> limits) throws SQLException {
    Map<String, LaterTasks> later = new HashMap<>();
    List<LimitRow> rows = List.copyOf(limits.keySet());
    try (NamedParameterStatement statement = statementAtOpening("limit.later")) {
      texts(statement, "queues", queues);
      texts(statement, "keys", rows.stream().map(LimitRow::key).toList());
      PostgresParameters.array(
          statement, "shared", "bool", rows, row -> row.queue().equals(ANY_QUEUE));
      PostgresParameters.array(statement, "started", "int4", rows, limits::get);
      ResultSet row = statement.query();
      while (row.next()) {
        later.put(
            row.getString("key"),
            new LaterTasks(
                columns.instant(row, "next_due"),
                row.getBoolean("unknown"),
                row.getBoolean("due_left")));
      }
    }
    return later;
  }

  /**
   * Creates the rows of limits that were not found, and gives due tasks the limits of their kinds;
   * returns whether there were any. In a transaction of its own: another claim that creates the
   * same row would have to wait for this one.
   */
  boolean prepareNext() throws SQLException {
    List<String> keys = List.copyOf(missing);
    missing.clear();
    if (!keys.isEmpty()) {
      create(keys);
    }
    if (!missingOfTasks.isEmpty()) {
      createOthers();
    }
    boolean any = !keys.isEmpty() || !missingOfTasks.isEmpty();
    missingOfTasks.clear();
    boolean updated = hasKinds && updateDue();
    return any || updated;
  }

  private boolean updateDue() throws SQLException {
    return PostgresExecutor.inTransaction(
        connection, (same, again) -> kindLimits().updateDue(queues));
  }

  private void create(List<String> keys) throws SQLException {
    Map<String, TaskLimit> found = new TreeMap<>();
    Map<String, String> queueByKey = new HashMap<>();
    try (NamedParameterStatement statement = executor.statement(connection, "limit_event.rules")) {
      texts(statement.integer("shard", shard), "keys", keys);
      ResultSet row = statement.query();
      while (row.next()) {
        String key = row.getString("key");
        queueByKey.put(key, row.getString("queue"));
        if (row.getObject("max") != null) {
          found.put(key, new TaskLimit(key, limitRows.rule(LimitKeys.type(key), row)));
        }
      }
    }
    List<String> undescribed = keys.stream().filter(key -> !found.containsKey(key)).toList();
    if (!undescribed.isEmpty()) {
      found.putAll(definedByWaiting(undescribed));
    }
    new TaskLimitWriter(executor, connection, shard)
        .create(List.copyOf(found.values()), queueByKey);
    deleteUnexplained(keys.stream().filter(key -> !found.containsKey(key)).toList());
  }

  private Map<String, TaskLimit> definedByWaiting(List<String> keys) throws SQLException {
    Map<String, TaskLimit> found = new HashMap<>();
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_definition.of_waiting")) {
      texts(statement.integer("shard", shard), "keys", keys);
      ResultSet row = statement.query();
      while (row.next()) {
        LimitRowMapper.described(row).forEach(limit -> found.put(limit.key(), limit));
      }
    }
    found.keySet().retainAll(keys);
    return found;
  }

  private void createOthers() throws SQLException {
    Map<String, TaskLimit> found = new TreeMap<>();
    Map<String, String> queueByKey = new HashMap<>();
    List<UUID> tasks = missingOfTasks.values().stream().distinct().toList();
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_definition.of_tasks")) {
      PostgresParameters.array(
          statement.integer("shard", shard), "ids", "uuid", tasks, task -> task);
      ResultSet row = statement.query();
      while (row.next()) {
        for (TaskLimit limit : LimitRowMapper.described(row)) {
          found.put(limit.key(), limit);
          queueByKey.put(limit.key(), row.getString("queue"));
        }
      }
    }
    found.keySet().retainAll(missingOfTasks.keySet());
    new TaskLimitWriter(executor, connection, shard)
        .create(List.copyOf(found.values()), queueByKey);
  }

  private void deleteUnexplained(List<String> keys) throws SQLException {
    if (!keys.isEmpty()) {
      try (NamedParameterStatement statement =
          executor.statement(connection, "limit_event.delete_unexplained")) {
        texts(statement.integer("shard", shard), "keys", keys);
        statement.update();
      }
    }
  }

  @Override
  public Map<String, OtherLimit> lock(Map<String, UUID> taskByKey) throws SQLException {
    Map<String, OtherLimit> locked = new HashMap<>();
    try (NamedParameterStatement statement = statementAtOpening("limit.lock")) {
      texts(statement, "queues", queues);
      texts(statement, "keys", List.copyOf(taskByKey.keySet()));
      ResultSet row = statement.query();
      while (row.next()) {
        locked.put(row.getString("key"), limitRows.other(row));
      }
    }
    List<String> others =
        taskByKey.keySet().stream().filter(key -> !locked.containsKey(key)).toList();
    if (!others.isEmpty()) {
      findMissing(others, taskByKey);
    }
    return locked;
  }

  private void findMissing(List<String> keys, Map<String, UUID> taskByKey) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "limit_definition.missing")) {
      texts(statement.integer("shard", shard), "keys", keys);
      ResultSet row = statement.query();
      while (row.next()) {
        String key = row.getString("key");
        missingOfTasks.put(key, requireNonNull(taskByKey.get(key)));
      }
    }
  }

  @Override
  public Map<String, Long> work(Collection<String> keys) throws SQLException {
    Map<String, Long> work = new HashMap<>();
    try (NamedParameterStatement statement = executor.statement(connection, "limit.work")) {
      texts(statement.integer("shard", shard), "keys", List.copyOf(keys));
      ResultSet row = statement.query();
      while (row.next()) {
        work.put(row.getString("key"), row.getLong("work"));
      }
    }
    return work;
  }

  @Override
  public Map<UUID, String> metadata(Collection<UUID> tasks) throws SQLException {
    return kindLimits().metadata(tasks);
  }

  @Override
  public void updateLimits(Collection<UUID> tasks) throws SQLException {
    kindLimits().update(tasks);
  }

  private PostgresKindLimits kindLimits() {
    return new PostgresKindLimits(executor, connection, shard);
  }

  @Override
  public void move(Map<UUID, String> limitByTask) throws SQLException {
    List<UUID> tasks = List.copyOf(limitByTask.keySet());
    try (NamedParameterStatement statement = statementAtOpening("limit.move")) {
      indexes(statement, tasks.size());
      PostgresParameters.array(statement, "ids", "uuid", tasks, id -> id);
      PostgresParameters.array(statement, "keys", "text", tasks, limitByTask::get);
      statement.update();
    }
  }

  @Override
  public List<Lease> take(List<WaitingTask> chosen, List<LimitUpdate> limits) throws SQLException {
    List<Lease> leases = new ArrayList<>();
    try (NamedParameterStatement statement = statement("claim.take_limited")) {
      claim.bind(statement);
      PostgresParameters.array(statement, "ids", "uuid", chosen, WaitingTask::id);
      PostgresParameters.instant(statement, "opened_at", requireNonNull(openedAt));
      bind(statement, limits);
      ResultSet row = statement.query();
      while (row.next()) {
        if (row.getObject("id") != null) {
          leases.add(PostgresClaim.lease(rowMapper, row));
        }
      }
    }
    return leases;
  }

  private static void bind(NamedParameterStatement statement, List<LimitUpdate> limits)
      throws SQLException {
    indexes(statement, limits.size());
    List<LimitRow> rows = limits.stream().map(LimitUpdate::limit).toList();
    texts(statement, "keys", rows.stream().map(LimitRow::key).toList());
    texts(statement, "limit_queues", rows.stream().map(LimitRow::queue).toList());
    TaskLimitWriter.rules(statement, "", rows.stream().map(LimitRow::rule).toList());
    PostgresParameters.array(statement, "used", "int8", rows, LimitRow::used);
    PostgresParameters.array(
        statement,
        "next_starts_at",
        "timestamptz",
        rows,
        row -> PostgresParameters.instantText(row.nextStart()));
    PostgresParameters.array(
        statement,
        "looks_at",
        "timestamptz",
        rows,
        row -> PostgresParameters.instantText(row.lookAt()));
    PostgresParameters.array(statement, "chosen", "int4", limits, LimitUpdate::chosen);
  }

  private static void texts(
      NamedParameterStatement statement, String parameter, List<String> values)
      throws SQLException {
    PostgresParameters.array(statement, parameter, "text", values, value -> value);
  }

  private static void indexes(NamedParameterStatement statement, int size) throws SQLException {
    List<Integer> indexes = IntStream.range(0, size).boxed().toList();
    PostgresParameters.array(statement, "item_indexes", "int4", indexes, index -> index);
  }

  /** All statements after the first use its clock: what is not due for one is later for another. */
  private NamedParameterStatement statementAtOpening(String name) throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.instant(statement, "now", requireNonNull(openedAt));
    return statement.integer("shard", shard);
  }

  private NamedParameterStatement statement(String name) throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.instant(statement, "now", executor.settings().now());
    return statement.integer("shard", shard);
  }
}
