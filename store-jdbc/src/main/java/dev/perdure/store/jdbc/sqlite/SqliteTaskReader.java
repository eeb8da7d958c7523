// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

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
import dev.perdure.engine.spi.RetryWaveCounter;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.StatisticsBuilder;
import dev.perdure.store.jdbc.sql.TaskListStatements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads tasks on read-only connections. */
final class SqliteTaskReader implements TaskReader {

  private final SqliteStore store;

  SqliteTaskReader(SqliteStore store) {
    this.store = store;
  }

  @Override
  public Optional<Task> find(UUID id) {
    return store.read(
        (session, now) ->
            session
                .statement("task_view.find")
                .number("shard", Shards.of(id))
                .id("id", id)
                .one(SqliteColumnReader.TASK_ROW_MAPPER::task));
  }

  @Override
  public List<Task> findAll(List<UUID> ids) {
    Map<Integer, List<UUID>> byShard = ids.stream().collect(Collectors.groupingBy(Shards::of));
    return store.read(
        (session, now) -> {
          List<Task> found = new ArrayList<>();
          for (Map.Entry<Integer, List<UUID>> entry : byShard.entrySet()) {
            found.addAll(
                session
                    .statement("task_view.find_all")
                    .number("shard", entry.getKey())
                    .text("ids", SqliteValues.hexJson(entry.getValue()))
                    .list(SqliteColumnReader.TASK_ROW_MAPPER::task));
          }
          return found;
        });
  }

  @Override
  public Optional<UUID> findByDedupeKey(int shard, String key) {
    return store.read(
        (session, now) -> new SqliteKeyHolders(session, now).find(shard, key).map(KeyHolder::id));
  }

  @Override
  public List<Attempt> attempts(UUID id, int limit) {
    return store
        .read(
            (session, now) ->
                session
                    .statement("attempt.list_of_task")
                    .number("shard", Shards.of(id))
                    .id("id", id)
                    .number("limit", limit)
                    .list(SqliteColumnReader.TASK_ROW_MAPPER::attempt))
        .reversed();
  }

  @Override
  public List<AttemptRow> attemptRows(UUID id, long before, int limit) {
    return store.read(
        (session, now) ->
            session
                .statement("attempt.list_rows")
                .number("shard", Shards.of(id))
                .id("id", id)
                .number("before", before)
                .number("limit", limit)
                .list(SqliteColumnReader.TASK_ROW_MAPPER::attemptRow));
  }

  @Override
  public Optional<Attempt> attempt(UUID id, long epoch) {
    return store.read(
        (session, now) ->
            session
                .statement("attempt.find")
                .number("shard", Shards.of(id))
                .id("id", id)
                .number("epoch", epoch)
                .one(SqliteColumnReader.TASK_ROW_MAPPER::attempt));
  }

  @Override
  public TaskRelations relations(UUID id) {
    return store.read(
        (session, now) ->
            session
                .statement("task_view.relations")
                .number("shard", Shards.of(id))
                .id("id", id)
                .number("limit", TaskRelations.MAX_COUNTED)
                .one(SqliteColumnReader.TASK_ROW_MAPPER::relations)
                .orElse(TaskRelations.NONE));
  }

  @Override
  public TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireSupports(filter);
    Cursor after = sort.cursor(page.cursor());
    return store.read((session, now) -> list(session, now, filter, sort, page, after));
  }

  static byte[] cursorId(String text) {
    try {
      return SqliteValues.bytes(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "after: must be the 'next' of an earlier page, not " + text, e);
    }
  }

  private TaskPage list(
      SqliteSession session,
      long now,
      TaskFilter filter,
      TaskSort sort,
      PageRequest page,
      Cursor after)
      throws SQLException {
    int[] shards = shards(filter);
    int look = page.scanLimit().of(filter);
    TaskScan scan = new TaskScan(sort, page.size(), look);
    int lookEach = Math.ceilDiv(look, shards.length);
    for (int shard : shards) {
      String name =
          TaskListStatements.list(
              filter,
              sort,
              lookEach,
              (check, most) -> fits(session, check, shard, filter.error(), most));
      scanning(filtered(session.statement(name), filter, now), after, lookEach)
          .number("limit", page.size() + 1)
          .number("shard", shard)
          .query(rows -> addTo(scan, rows));
    }
    return scan.page();
  }

  private static boolean fits(
      SqliteSession session, String name, int shard, @Nullable String error, long most)
      throws SQLException {
    CachedStatement statement = session.statement(name).number("shard", shard).number("look", most);
    if (TaskListStatements.hasError(name)) {
      statement.text("error", error);
    }
    return statement.one(row -> row.getBoolean("fits")).orElseThrow();
  }

  private static void addTo(TaskScan scan, ResultSet rows) throws SQLException {
    while (rows.next()) {
      TaskRow task = SqliteColumnReader.TASK_ROW_MAPPER.row(rows);
      if (rows.getBoolean("matches")) {
        scan.addMatch(task);
      } else {
        scan.addStop(task);
      }
    }
  }

  private static CachedStatement scanning(
      CachedStatement statement, @Nullable Cursor after, int look) throws SQLException {
    statement.number("look", look);
    if (after != null) {
      statement.id("after_id", after.id());
    }
    if (after != null && after.at() != null) {
      statement.number("after_at", SqliteValues.millis(after.at()));
    }
    return statement;
  }

  @Override
  public TaskCount count(TaskFilter filter, int limit, ScanLimit scanLimit) {
    return store.read((session, now) -> count(session, now, filter, limit, scanLimit.of(filter)));
  }

  private TaskCount count(SqliteSession session, long now, TaskFilter filter, int limit, int look)
      throws SQLException {
    int[] shards = shards(filter);
    CachedStatement count =
        scanning(
            filtered(session.statement(TaskListStatements.count(filter)), filter, now),
            TaskListStatements.countStart(filter),
            Math.ceilDiv(look, shards.length));
    long tasks = 0;
    boolean exact = true;
    for (int shard : shards) {
      TaskCount more =
          count
              .number("shard", shard)
              .number("limit", limit - tasks)
              .one(row -> new TaskCount(row.getLong("tasks"), !row.getBoolean("stopped")))
              .orElseThrow();
      tasks += more.tasks();
      exact &= more.exact();
    }
    return new TaskCount(tasks, exact);
  }

  private int[] shards(TaskFilter filter) {
    UUID batch = filter.batch();
    return batch == null
        ? IntStream.range(0, store.shards()).toArray()
        : new int[] {Shards.of(batch)};
  }

  @Override
  public Backlog backlog() {
    return store.read((session, now) -> backlog(session, now).backlog());
  }

  private StatisticsBuilder backlog(SqliteSession session, long now) throws SQLException {
    StatisticsBuilder builder = new StatisticsBuilder();
    CachedStatement live =
        session
            .statement("task_state.backlog")
            .number("now", now)
            .number("limit", Backlog.MAX_COUNTED);
    for (int shard = 0; shard < store.shards(); shard++) {
      live.number("shard", shard).query(builder::addLive);
    }
    return builder;
  }

  @Override
  public StoreStatistics statistics() {
    return store.read(
        (session, now) -> {
          StatisticsBuilder builder = backlog(session, now);
          CachedStatement ended =
              session
                  .statement("task_state.count_ended")
                  .number("limit", StoreStatistics.MAX_COUNTED);
          CachedStatement strategies =
              session
                  .statement("task.count_by_strategy")
                  .number("limit", StoreStatistics.MAX_COUNTED);
          CachedStatement delays =
              session.statement("attempt.sum_delays").number("limit", StoreStatistics.MAX_COUNTED);
          for (int shard = 0; shard < store.shards(); shard++) {
            ended.number("shard", shard).query(builder::addEnded);
            strategies.number("shard", shard).query(builder::addStrategies);
            delays.number("shard", shard).query(builder::addDelays);
          }
          return builder.statistics();
        });
  }

  @Override
  public ErrorGroups errors(ErrorQuery query) {
    return store.read(
        (session, now) ->
            new ErrorCounter(query, store.shards(), Instant.ofEpochMilli(now))
                .count(new SqliteErrorTable(session)));
  }

  @Override
  public RetryWave retryWave(RetryWaveQuery query) {
    return store.read(
        (session, now) ->
            new RetryWaveCounter(query, store.shards(), Instant.ofEpochMilli(now))
                .count(new SqliteRetryRanges(session, query)));
  }

  private static CachedStatement filtered(CachedStatement statement, TaskFilter filter, long now)
      throws SQLException {
    UUID batch = filter.batch();
    if (batch != null) {
      statement.id("batch", batch);
    }
    return statement
        .number("now", now)
        .text("states", anyOf(filter.states(), TaskState::text))
        .text("statuses", anyOf(filter.statuses(), DisplayStatus::text))
        .text(
            "kinds",
            filter.kinds().isEmpty() ? null : SqliteLimitTables.json(List.copyOf(filter.kinds())))
        .text("error", filter.error())
        .text("failure_code", filter.failureCode())
        .text("worker", filter.worker())
        .number("attempt_min", filter.attemptMin())
        .number("parked", filter.parked() == null ? null : (Long) (filter.parked() ? 1L : 0L))
        .bytes("schedule", filter.schedule() == null ? null : SqliteValues.bytes(filter.schedule()))
        .number("ended_after", SqliteValues.millis(filter.endedAfter()))
        .number("ended_before", SqliteValues.millis(filter.endedBefore()))
        .number("due_after", SqliteValues.millis(filter.dueAfter()))
        .number("due_before", SqliteValues.millis(filter.dueBefore()))
        .text("kind_part", filter.search().kind())
        .text("name", filter.name())
        .text("name_part", filter.search().name())
        .number("run", filter.run() == null ? null : (Long) (long) filter.run())
        .number("timeout_ms", SqliteValues.millis(filter.timeout()))
        .text("search_text", filter.search().text())
        .text("metadata_index", MetadataIndex.likePattern(filter.search().metadataEntries()))
        .text("failure_kind", filter.failureKind())
        .text("give_up_reason", filter.giveUpReason() == null ? null : filter.giveUpReason().text())
        .text("strategy", filter.strategy())
        .number("created_after", SqliteValues.millis(filter.createdAfter()))
        .number("created_before", SqliteValues.millis(filter.createdBefore()))
        .number("due_within_ms", SqliteValues.millis(filter.dueWithin()));
  }

  /** Returns the values as a JSON array, or null for an empty set, which selects everything. */
  private static <T> @Nullable String anyOf(Set<T> values, Function<T, String> text) {
    return values.isEmpty()
        ? null
        : values.stream().map(text).collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }
}
