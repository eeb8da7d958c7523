// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.MetadataIndex;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.query.TaskSort.Cursor;
import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.spi.RetryWaveCounter;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.StatisticsBuilder;
import dev.perdure.store.jdbc.sql.TaskListStatements;
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
  public TaskPage list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireSupports(filter);
    Cursor after = sort.cursor(page.cursor());
    int limit = page.size() + 1;
    return sort.page(
        store.read((session, now) -> list(session, now, filter, sort, after, limit)), page.size());
  }

  static byte[] cursorId(String text) {
    try {
      return SqliteValues.bytes(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "after: must be the 'next' of an earlier page, not " + text, e);
    }
  }

  private List<TaskRow> list(
      SqliteSession session, long now, TaskFilter filter, TaskSort sort, Cursor after, int limit)
      throws SQLException {
    List<TaskRow> found = new ArrayList<>();
    CachedStatement list =
        filtered(session.statement(TaskListStatements.list(filter, sort)), filter, now)
            .id("after_id", after.id())
            .number("limit", limit);
    if (after.at() != null) {
      list.number("after_at", SqliteValues.millis(after.at()));
    }
    for (int shard : shards(filter)) {
      found.addAll(list.number("shard", shard).list(SqliteColumnReader.TASK_ROW_MAPPER::row));
    }
    return found;
  }

  @Override
  public long count(TaskFilter filter, int limit) {
    return store.read(
        (session, now) -> {
          long counted = 0;
          CachedStatement count =
              filtered(session.statement(TaskListStatements.count(filter)), filter, now);
          for (int shard : shards(filter)) {
            counted +=
                count
                    .number("shard", shard)
                    .number("limit", limit - counted)
                    .one(row -> row.getLong("tasks"))
                    .orElseThrow();
          }
          return counted;
        });
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
        .text("kind", filter.kind())
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
