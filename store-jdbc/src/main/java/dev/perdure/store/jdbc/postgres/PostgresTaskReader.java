// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.ErrorGroups;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.query.TaskRelations;
import dev.perdure.engine.query.TaskScan;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.query.TaskSort.Cursor;
import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.spi.ErrorCounter;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import dev.perdure.store.jdbc.sql.TaskListStatements;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads tasks. Lists and counts go shard by shard. */
final class PostgresTaskReader implements TaskReader {

  static final UUID AFTER_ALL_IDS = new UUID(-1, -1);

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper;

  PostgresTaskReader(PostgresExecutor executor, TaskRowMapper rowMapper) {
    this.executor = executor;
    this.rowMapper = rowMapper;
  }

  @Override
  public Optional<Task> find(UUID id) {
    return executor.runIdempotent("find", (connection, mayHaveCommitted) -> find(connection, id));
  }

  private Optional<Task> find(Connection connection, UUID id) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "task_view.find")) {
      PostgresParameters.uuid(statement.integer("shard", Shards.of(id)), "id", id);
      ResultSet found = statement.query();
      return found.next() ? Optional.of(rowMapper.task(found)) : Optional.empty();
    }
  }

  @Override
  public List<Task> findAll(List<UUID> ids) {
    Map<Integer, List<UUID>> byShard = ids.stream().collect(Collectors.groupingBy(Shards::of));
    return executor.runIdempotent(
        "find",
        (connection, mayHaveCommitted) -> {
          List<Task> found = new ArrayList<>();
          for (Map.Entry<Integer, List<UUID>> some : byShard.entrySet()) {
            found.addAll(findAll(connection, some.getKey(), some.getValue()));
          }
          return found;
        });
  }

  private List<Task> findAll(Connection connection, int shard, List<UUID> ids) throws SQLException {
    List<Task> tasks = new ArrayList<>();
    try (NamedParameterStatement statement = executor.statement(connection, "task_view.find_all")) {
      PostgresParameters.array(statement.integer("shard", shard), "ids", "uuid", ids, id -> id);
      ResultSet found = statement.query();
      while (found.next()) {
        tasks.add(rowMapper.task(found));
      }
    }
    return tasks;
  }

  @Override
  public Optional<UUID> findByDedupeKey(int shard, String key) {
    return executor.runIdempotent(
        "find by dedupe key",
        (connection, mayHaveCommitted) ->
            Optional.ofNullable(
                    new KeyHolders(executor).find(connection, shard, List.of(key)).get(key))
                .map(KeyHolder::id));
  }

  @Override
  public List<Attempt> attempts(UUID id, int limit) {
    return executor.runIdempotent(
        "attempts", (connection, mayHaveCommitted) -> attempts(connection, id, limit));
  }

  private List<Attempt> attempts(Connection connection, UUID id, int limit) throws SQLException {
    List<Attempt> attempts = new ArrayList<>();
    try (NamedParameterStatement statement =
        executor.statement(connection, "attempt.list_of_task")) {
      PostgresParameters.uuid(
          statement.integer("shard", Shards.of(id)).integer("limit", limit), "id", id);
      ResultSet found = statement.query();
      while (found.next()) {
        attempts.add(rowMapper.attempt(found));
      }
    }
    Collections.reverse(attempts);
    return attempts;
  }

  @Override
  public List<AttemptRow> attemptRows(UUID id, long before, int limit) {
    return executor.runIdempotent(
        "attempts",
        (connection, mayHaveCommitted) -> {
          List<AttemptRow> rows = new ArrayList<>();
          try (NamedParameterStatement statement =
              statementFor(connection, "attempt.list_rows", id)) {
            ResultSet found =
                statement.number("before", (Long) before).integer("limit", limit).query();
            while (found.next()) {
              rows.add(rowMapper.attemptRow(found));
            }
          }
          return rows;
        });
  }

  @Override
  public Optional<Attempt> attempt(UUID id, long epoch) {
    return executor.runIdempotent(
        "attempt",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = statementFor(connection, "attempt.find", id)) {
            ResultSet found = statement.number("epoch", (Long) epoch).query();
            return found.next() ? Optional.of(rowMapper.attempt(found)) : Optional.empty();
          }
        });
  }

  @Override
  public TaskRelations relations(UUID id) {
    return executor.runIdempotent(
        "relations",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              statementFor(connection, "task_view.relations", id)) {
            ResultSet found = statement.integer("limit", TaskRelations.MAX_COUNTED).query();
            return found.next() ? rowMapper.relations(found) : TaskRelations.NONE;
          }
        });
  }

  private NamedParameterStatement statementFor(Connection connection, String name, UUID task)
      throws SQLException {
    NamedParameterStatement statement = executor.statement(connection, name);
    PostgresParameters.uuid(statement.integer("shard", Shards.of(task)), "id", task);
    return statement;
  }

  @Override
  public TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireSupports(filter);
    Cursor after = sort.cursor(page.cursor());
    return executor.runIdempotent(
        "list", (connection, mayHaveCommitted) -> list(connection, filter, sort, page, after));
  }

  static UUID cursorId(String after) {
    try {
      return UUID.fromString(after);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "after: must be the 'next' of an earlier page, not " + after, e);
    }
  }

  private TaskPage list(
      Connection connection, TaskFilter filter, TaskSort sort, PageRequest page, Cursor after)
      throws SQLException {
    int[] shards = shards(filter);
    int look = page.scanLimit().of(filter);
    int lookEach = Math.ceilDiv(look, shards.length);
    TaskScan scan = new TaskScan(sort, page.size(), look);
    for (int shard : shards) {
      String name =
          TaskListStatements.list(
              filter,
              sort,
              lookEach,
              (check, most) -> fits(connection, check, shard, filter.error(), most));
      try (NamedParameterStatement statement = executor.statement(connection, name)) {
        bind(statement, shard, filter, page.size() + 1);
        bindScan(statement, after, lookEach);
        ResultSet found = statement.query();
        while (found.next()) {
          TaskRow task = rowMapper.row(found);
          if (found.getBoolean("matches")) {
            scan.addMatch(task);
          } else {
            scan.addStop(task);
          }
        }
      }
    }
    return scan.page();
  }

  private boolean fits(
      Connection connection, String name, int shard, @Nullable String error, long most)
      throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, name)) {
      statement.integer("shard", shard).number("look", (Long) most);
      if (TaskListStatements.hasError(name)) {
        statement.text("error", PostgresParameters.withoutNul(error));
      }
      ResultSet found = statement.query();
      return found.next() && found.getBoolean("fits");
    }
  }

  @Override
  public TaskCount count(TaskFilter filter, int limit, ScanLimit scanLimit) {
    return executor.runIdempotent(
        "count",
        (connection, mayHaveCommitted) -> count(connection, filter, limit, scanLimit.of(filter)));
  }

  private TaskCount count(Connection connection, TaskFilter filter, int limit, int look)
      throws SQLException {
    int[] shards = shards(filter);
    String name = TaskListStatements.count(filter);
    Cursor start = TaskListStatements.countStart(filter);
    long tasks = 0;
    boolean exact = true;
    for (int shard : shards) {
      try (NamedParameterStatement statement = executor.statement(connection, name)) {
        bind(statement, shard, filter, limit);
        bindScan(statement, start, Math.ceilDiv(look, shards.length));
        ResultSet found = statement.query();
        found.next();
        tasks += found.getLong("tasks");
        exact &= !found.getBoolean("stopped");
      }
      if (tasks >= limit) {
        return new TaskCount(limit, false);
      }
    }
    return new TaskCount(tasks, exact);
  }

  private static void bindScan(NamedParameterStatement statement, @Nullable Cursor after, int look)
      throws SQLException {
    statement.number("look", (Long) (long) look);
    if (after != null) {
      PostgresParameters.uuid(statement, "after_id", after.id());
    }
    if (after != null && after.at() != null) {
      PostgresParameters.instant(statement, "after_at", after.at());
    }
  }

  private int[] shards(TaskFilter filter) {
    UUID batch = filter.batch();
    return batch == null
        ? IntStream.range(0, executor.settings().shards()).toArray()
        : new int[] {Shards.of(batch)};
  }

  private void bind(NamedParameterStatement statement, int shard, TaskFilter filter, int limit)
      throws SQLException {
    PostgresParameters.instant(statement, "now", executor.settings().now());
    statement.integer("shard", shard).integer("limit", limit);
    bindAnyOf(statement, "states", filter.states(), TaskState::text);
    bindAnyOf(statement, "statuses", filter.statuses(), DisplayStatus::text);
    bindAnyOf(
        statement,
        "kinds",
        filter.kinds(),
        kind -> requireNonNull(PostgresParameters.withoutNul(kind)));
    statement
        .text("error", PostgresParameters.withoutNul(filter.error()))
        .text("failure_code", PostgresParameters.withoutNul(filter.failureCode()))
        .text("worker", PostgresParameters.withoutNul(filter.worker()))
        .number("attempt_min", filter.attemptMin())
        .set("parked", (target, index) -> target.setObject(index, filter.parked(), Types.BOOLEAN))
        .set("schedule", (target, index) -> target.setObject(index, filter.schedule(), Types.OTHER))
        .text("kind_part", PostgresParameters.withoutNul(filter.search().kind()))
        .text("name", PostgresParameters.withoutNul(filter.name()))
        .text("name_part", PostgresParameters.withoutNul(filter.search().name()))
        .number("run", filter.run() == null ? null : (Long) (long) filter.run())
        .number("timeout_ms", SqlTimes.toMillisOrNull(filter.timeout()))
        .text("search_text", PostgresParameters.withoutNul(filter.search().text()))
        .text("metadata_index", MetadataIndex.likePattern(filter.search().metadataEntries()))
        .text("failure_kind", PostgresParameters.withoutNul(filter.failureKind()))
        .text("give_up_reason", filter.giveUpReason() == null ? null : filter.giveUpReason().text())
        .text("strategy", filter.strategy())
        .number("due_within_ms", SqlTimes.toMillisOrNull(filter.dueWithin()));
    if (filter.batch() != null) {
      PostgresParameters.uuid(statement, "batch", filter.batch());
    }
    PostgresParameters.instant(statement, "created_after", filter.createdAfter());
    PostgresParameters.instant(statement, "created_before", filter.createdBefore());
    PostgresParameters.instant(statement, "ended_after", filter.endedAfter());
    PostgresParameters.instant(statement, "ended_before", filter.endedBefore());
    PostgresParameters.instant(statement, "due_after", filter.dueAfter());
    PostgresParameters.instant(statement, "due_before", filter.dueBefore());
  }

  /** Binds null for an empty set, which selects everything. */
  private static <T> void bindAnyOf(
      NamedParameterStatement statement, String name, Set<T> values, Function<T, String> text)
      throws SQLException {
    if (values.isEmpty()) {
      statement.set(name, (target, index) -> target.setNull(index, Types.ARRAY));
    } else {
      PostgresParameters.array(statement, name, "text", List.copyOf(values), text::apply);
    }
  }

  @Override
  public Backlog backlog() {
    return executor.runIdempotent(
        "backlog",
        (connection, mayHaveCommitted) ->
            new PostgresStatistics(executor, connection).backlog().backlog());
  }

  @Override
  public StoreStatistics statistics() {
    return executor.runIdempotent(
        "statistics",
        (connection, mayHaveCommitted) -> new PostgresStatistics(executor, connection).all());
  }

  @Override
  public ErrorGroups errors(ErrorQuery query) {
    return executor.runIdempotent(
        "errors",
        (connection, mayHaveCommitted) ->
            new ErrorCounter(query, executor.settings().shards(), executor.now(connection))
                .count(new PostgresErrorTable(executor, connection, rowMapper)));
  }

  @Override
  public RetryWave retryWave(RetryWaveQuery query) {
    return executor.runIdempotent(
        "retry wave",
        (connection, mayHaveCommitted) ->
            new PostgresRetryWave(executor, connection, query).count());
  }
}
