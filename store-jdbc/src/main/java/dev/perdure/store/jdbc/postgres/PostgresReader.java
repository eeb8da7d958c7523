// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

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
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import dev.perdure.store.jdbc.sql.Lists;
import dev.perdure.store.jdbc.sql.Tally;
import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Looks at tasks. Lists and counts go shard by shard. */
final class PostgresReader implements TaskReader {

  static final UUID BEYOND_IDS = new UUID(-1, -1);

  private final Session session;
  private final TaskRows rows;

  PostgresReader(Session session, TaskRows rows) {
    this.session = session;
    this.rows = rows;
  }

  @Override
  public Optional<Task> find(UUID id) {
    return session.repeatedly("find", (connection, unsure) -> find(connection, id));
  }

  private Optional<Task> find(Connection connection, UUID id) throws SQLException {
    try (Call call = session.call(connection, "task_shown.find")) {
      Params.uuid(call.count("shard", Shards.of(id)), "id", id);
      ResultSet found = call.query();
      return found.next() ? Optional.of(rows.task(found)) : Optional.empty();
    }
  }

  @Override
  public List<Task> findAll(List<UUID> ids) {
    Map<Integer, List<UUID>> byShard = ids.stream().collect(Collectors.groupingBy(Shards::of));
    return session.repeatedly(
        "find",
        (connection, unsure) -> {
          List<Task> found = new ArrayList<>();
          for (Map.Entry<Integer, List<UUID>> some : byShard.entrySet()) {
            found.addAll(findAll(connection, some.getKey(), some.getValue()));
          }
          return found;
        });
  }

  private List<Task> findAll(Connection connection, int shard, List<UUID> ids) throws SQLException {
    List<Task> tasks = new ArrayList<>();
    try (Call call = session.call(connection, "task_shown.find_all")) {
      Params.array(call.count("shard", shard), "ids", "uuid", ids, id -> id);
      ResultSet found = call.query();
      while (found.next()) {
        tasks.add(rows.task(found));
      }
    }
    return tasks;
  }

  @Override
  public List<Attempt> attempts(UUID id, int limit) {
    return session.repeatedly("attempts", (connection, unsure) -> attempts(connection, id, limit));
  }

  private List<Attempt> attempts(Connection connection, UUID id, int limit) throws SQLException {
    List<Attempt> attempts = new ArrayList<>();
    try (Call call = session.call(connection, "attempt.of_task")) {
      Params.uuid(call.count("shard", Shards.of(id)).count("limit", limit), "id", id);
      ResultSet found = call.query();
      while (found.next()) {
        attempts.add(rows.attempt(found));
      }
    }
    Collections.reverse(attempts);
    return attempts;
  }

  @Override
  public Page list(TaskFilter filter, TaskSort sort, PageRequest page) {
    sort.requireOrders(filter);
    Place after = sort.place(page.after());
    List<TaskRow> found =
        session.repeatedly(
            "list", (connection, unsure) -> list(connection, filter, sort, after, page.size() + 1));
    return sort.page(found, page.size());
  }

  static UUID place(String after) {
    try {
      return UUID.fromString(after);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("after must be the next of a page, not " + after, e);
    }
  }

  private List<TaskRow> list(
      Connection connection, TaskFilter filter, TaskSort sort, Place after, int limit)
      throws SQLException {
    List<TaskRow> tasks = new ArrayList<>();
    for (int shard : shards(filter)) {
      try (Call call = session.call(connection, Lists.list(filter, sort))) {
        bind(call, shard, filter, limit);
        Params.uuid(call, "after", after.id());
        if (after.at() != null) {
          Params.instant(call, "at", after.at());
        }
        ResultSet found = call.query();
        while (found.next()) {
          tasks.add(rows.row(found));
        }
      }
    }
    return tasks;
  }

  @Override
  public long count(TaskFilter filter, int limit) {
    return session.repeatedly("count", (connection, unsure) -> count(connection, filter, limit));
  }

  private long count(Connection connection, TaskFilter filter, int limit) throws SQLException {
    long tasks = 0;
    for (int shard : shards(filter)) {
      try (Call call = session.call(connection, Lists.count(filter))) {
        bind(call, shard, filter, limit);
        ResultSet found = call.query();
        found.next();
        tasks += found.getLong("tasks");
      }
      if (tasks >= limit) {
        return limit;
      }
    }
    return tasks;
  }

  private int[] shards(TaskFilter filter) {
    UUID batch = filter.batch();
    return batch == null
        ? IntStream.range(0, session.settings().shards()).toArray()
        : new int[] {Shards.of(batch)};
  }

  private void bind(Call call, int shard, TaskFilter filter, int limit) throws SQLException {
    Params.instant(call, "now", session.settings().now());
    call.count("shard", shard).count("limit", limit).count("hold", filter.hold());
    bindStates(call, filter);
    call.text("kind", Params.text(filter.kind()))
        .text("name", Params.text(filter.search().name()))
        .text("anywhere", Params.text(filter.search().anywhere()))
        .text("facets", Facets.pattern(filter.search().facets()))
        .text("failure_kind", Params.text(filter.failureKind()))
        .text("reason", filter.giveUpReason() == null ? null : filter.giveUpReason().text())
        .text("strategy", filter.strategy())
        .number("due_within_ms", Lengths.millisOrNull(filter.dueWithin()));
    if (filter.batch() != null) {
      Params.uuid(call, "batch", filter.batch());
    }
    Params.instant(call, "created_after", filter.createdAfter());
    Params.instant(call, "created_before", filter.createdBefore());
  }

  private static void bindStates(Call call, TaskFilter filter) throws SQLException {
    if (filter.states().isEmpty()) {
      call.set("states", (target, index) -> target.setNull(index, Types.ARRAY));
    } else {
      Params.array(call, "states", "text", List.copyOf(filter.states()), TaskState::text);
    }
  }

  @Override
  public Backlog backlog() {
    return session.repeatedly("backlog", (connection, unsure) -> backlog(connection).backlog());
  }

  private Tally backlog(Connection connection) throws SQLException {
    Tally tally = new Tally();
    for (int shard = 0; shard < session.settings().shards(); shard++) {
      try (Call call = session.call(connection, "task_state.backlog")) {
        Params.instant(call, "now", session.settings().now());
        tally.live(call.count("shard", shard).count("limit", Backlog.MOST_COUNTED).query());
      }
    }
    return tally;
  }

  @Override
  public Statistics statistics() {
    return session.repeatedly("statistics", (connection, unsure) -> statistics(connection));
  }

  private Statistics statistics(Connection connection) throws SQLException {
    Tally tally = backlog(connection);
    for (int shard = 0; shard < session.settings().shards(); shard++) {
      try (Call call = session.call(connection, "task_state.ended")) {
        tally.ended(call.count("shard", shard).count("limit", Statistics.MOST_COUNTED).query());
      }
      try (Call call = session.call(connection, "task.strategies")) {
        tally.strategies(
            call.count("shard", shard).count("limit", Statistics.MOST_COUNTED).query());
      }
      try (Call call = session.call(connection, "attempt.delays")) {
        tally.delays(call.count("shard", shard).count("limit", Statistics.MOST_COUNTED).query());
      }
    }
    return tally.statistics();
  }
}
