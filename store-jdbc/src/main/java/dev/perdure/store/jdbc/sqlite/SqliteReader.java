// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.Backlog;
import dev.perdure.engine.store.Facets;
import dev.perdure.engine.store.Page;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskSort;
import dev.perdure.engine.store.TaskSort.Place;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.Lists;
import dev.perdure.store.jdbc.sql.Tally;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Looks at tasks on connections of its own. */
final class SqliteReader implements TaskReader {

  private final SqliteStore store;

  SqliteReader(SqliteStore store) {
    this.store = store;
  }

  @Override
  public Optional<Task> find(UUID id) {
    return store.read(
        (session, now) ->
            session
                .sql("task_shown.find")
                .number("shard", Shards.of(id))
                .id("id", id)
                .row(SqliteColumns.ROWS::task));
  }

  @Override
  public List<Task> findAll(List<UUID> ids) {
    Map<Integer, List<UUID>> byShard = ids.stream().collect(Collectors.groupingBy(Shards::of));
    return store.read(
        (session, now) -> {
          List<Task> found = new ArrayList<>();
          for (Map.Entry<Integer, List<UUID>> some : byShard.entrySet()) {
            found.addAll(
                session
                    .sql("task_shown.find_all")
                    .number("shard", some.getKey())
                    .text("ids", Values.json(some.getValue()))
                    .rows(SqliteColumns.ROWS::task));
          }
          return found;
        });
  }

  @Override
  public List<Attempt> attempts(UUID id, int limit) {
    return store
        .read(
            (session, now) ->
                session
                    .sql("attempt.of_task")
                    .number("shard", Shards.of(id))
                    .id("id", id)
                    .number("limit", limit)
                    .rows(SqliteColumns.ROWS::attempt))
        .reversed();
  }

  @Override
  public Page list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireOrders(filter);
    Place after = sort.place(page.after());
    int most = page.size() + 1;
    return sort.page(
        store.read((session, now) -> list(session, now, filter, sort, after, most)), page.size());
  }

  static byte[] after(String text) {
    try {
      return Values.bytes(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not the end of a page: " + text, e);
    }
  }

  private List<TaskRow> list(
      Session session, long now, TaskFilter filter, TaskSort sort, Place after, int most)
      throws SQLException {
    List<TaskRow> found = new ArrayList<>();
    Prepared list =
        filtered(session.sql(Lists.list(filter, sort)), filter, now)
            .id("after", after.id())
            .number("limit", most);
    if (after.at() != null) {
      list.number("at", Values.millis(after.at()));
    }
    for (int shard : shards(filter)) {
      found.addAll(list.number("shard", shard).rows(SqliteColumns.ROWS::row));
    }
    return found;
  }

  @Override
  public long count(TaskFilter filter, int limit) {
    return store.read(
        (session, now) -> {
          long counted = 0;
          Prepared count = filtered(session.sql(Lists.count(filter)), filter, now);
          for (int shard : shards(filter)) {
            counted +=
                count
                    .number("shard", shard)
                    .number("limit", limit - counted)
                    .row(row -> row.getLong("tasks"))
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

  private Tally backlog(Session session, long now) throws SQLException {
    Tally tally = new Tally();
    Prepared live =
        session.sql("task_state.backlog").number("now", now).number("limit", Backlog.MOST_COUNTED);
    for (int shard = 0; shard < store.shards(); shard++) {
      live.number("shard", shard).each(tally::live);
    }
    return tally;
  }

  @Override
  public Statistics statistics() {
    return store.read(
        (session, now) -> {
          Tally tally = backlog(session, now);
          Prepared ended = session.sql("task_state.ended").number("limit", Statistics.MOST_COUNTED);
          Prepared strategies =
              session.sql("task.strategies").number("limit", Statistics.MOST_COUNTED);
          Prepared delays = session.sql("attempt.delays").number("limit", Statistics.MOST_COUNTED);
          for (int shard = 0; shard < store.shards(); shard++) {
            ended.number("shard", shard).each(tally::ended);
            strategies.number("shard", shard).each(tally::strategies);
            delays.number("shard", shard).each(tally::delays);
          }
          return tally.statistics();
        });
  }

  private static Prepared filtered(Prepared statement, TaskFilter filter, long now)
      throws SQLException {
    UUID batch = filter.batch();
    if (batch != null) {
      statement.id("batch", batch);
    }
    return statement
        .number("now", now)
        .text("states", states(filter))
        .number("hold", filter.hold())
        .text("kind", filter.kind())
        .text("name", filter.search().name())
        .text("anywhere", filter.search().anywhere())
        .text("facets", Facets.pattern(filter.search().facets()))
        .text("failure_kind", filter.failureKind())
        .text("reason", filter.giveUpReason() == null ? null : filter.giveUpReason().text())
        .text("strategy", filter.strategy())
        .number("created_after", Values.millis(filter.createdAfter()))
        .number("created_before", Values.millis(filter.createdBefore()))
        .number("due_within_ms", Values.millis(filter.dueWithin()));
  }

  /** The states as a JSON array, or null for any. */
  private static @Nullable String states(TaskFilter filter) {
    return filter.states().isEmpty()
        ? null
        : filter.states().stream()
            .map(TaskState::text)
            .collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }
}
