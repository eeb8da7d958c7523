// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static java.util.Objects.requireNonNullElse;

import dev.perdure.engine.spi.PropagationTables;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyOutcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables of one shard in the writer's transaction. */
final class SqlitePropagationTables implements PropagationTables<SQLException> {

  private static final UUID BEFORE_ALL_IDS = new UUID(0, 0);

  private final SqliteSession session;
  private final long now;
  private final int shard;

  SqlitePropagationTables(SqliteSession session, long now, int shard) {
    this.session = session;
    this.now = now;
    this.shard = shard;
  }

  @Override
  public List<Event> takeEvents(int limit) throws SQLException {
    return statement("propagation_event.take")
        .number("now", now)
        .number("limit", limit)
        .list(
            row -> {
              byte[] doneUpTo = row.getBytes("done_up_to");
              return new Event(
                  row.getLong("number"),
                  id(row, "task"),
                  Instant.ofEpochMilli(row.getLong("created_at")),
                  Duration.ofMillis(Math.max(0, row.getLong("age_ms"))),
                  doneUpTo == null ? null : SqliteValues.uuid(doneUpTo));
            });
  }

  @Override
  public Map<UUID, LockedTask> lock(Collection<UUID> tasks) throws SQLException {
    Map<UUID, LockedTask> found = new HashMap<>();
    CachedStatement find = statement("graph.lock_for_propagation");
    for (UUID task : tasks) {
      find.id("id", task)
          .one(
              row ->
                  new LockedTask(
                      row.getBoolean("superseded")
                          ? SqliteColumnReader.TASK_ROW_MAPPER.parentStatus(row).ofEarlierRun()
                          : SqliteColumnReader.TASK_ROW_MAPPER.parentStatus(row),
                      new RunKey(id(row, "batch"), row.getInt("run")),
                      row.getBoolean("settled")))
          .ifPresent(locked -> found.put(task, locked));
    }
    return found;
  }

  /** Nothing is locked by others, so what {@link #lock} did not find does not exist. */
  @Override
  public Set<UUID> existing(Collection<UUID> tasks) {
    return Set.of();
  }

  @Override
  public List<Edge> disagreeing(List<Demand> demands, int limit) throws SQLException {
    List<Edge> edges = new ArrayList<>();
    CachedStatement find = statement("dependency.disagreeing");
    for (Demand demand : demands) {
      edges.addAll(
          find.id("parent", demand.parent())
              .number("required_outcome", code(demand.required()))
              .number("optional_outcome", code(demand.optional()))
              .id("done_up_to", requireNonNullElse(demand.doneUpTo(), BEFORE_ALL_IDS))
              .flag("settled", demand.settled())
              .number("limit", limit - edges.size())
              .list(
                  row ->
                      new Edge(
                          new Dependency(
                              id(row, "parent"), id(row, "child"), row.getBoolean("required")),
                          DependencyOutcome.ofCode(row.getInt("outcome")))));
      if (edges.size() >= limit) {
        break;
      }
    }
    return edges;
  }

  @Override
  public List<Dependency> doomed(Collection<UUID> tasks, int limit) throws SQLException {
    return statement("dependency.doomed")
        .text("ids", SqliteValues.hexJson(tasks))
        .number("limit", limit)
        .list(row -> new Dependency(id(row, "parent"), id(row, "child"), true));
  }

  @Override
  public Map<UUID, List<UUID>> deadEnds(Collection<UUID> children, int limit) throws SQLException {
    Map<UUID, List<UUID>> found = new HashMap<>();
    statement("dependency.dead_ends")
        .text("ids", SqliteValues.hexJson(children))
        .number("limit", limit)
        .query(
            rows -> {
              while (rows.next()) {
                found
                    .computeIfAbsent(id(rows, "child"), child -> new ArrayList<>())
                    .add(id(rows, "parent"));
              }
            });
    return found;
  }

  @Override
  public void setOutcomes(List<Edge> edges) throws SQLException {
    CachedStatement update = statement("dependency.set_outcome");
    for (Edge edge : edges) {
      update
          .id("parent", edge.dependency().parent())
          .id("child", edge.dependency().child())
          .number("outcome", code(edge.outcome()))
          .update();
    }
  }

  @Override
  public void setCounts(List<CountChange> changes) throws SQLException {
    CachedStatement update = statement("graph.propagate").number("now", now);
    for (CountChange change : changes) {
      update
          .id("id", change.task())
          .text("from_state", change.from().text())
          .text("to_state", change.to().text())
          .flag("released", change.from() != change.to())
          .number("unmet", change.counts().unmet())
          .number("unmet_failed", change.counts().failed())
          .update();
      if (change.from() != change.to()) {
        LimitEventWriter events = new LimitEventWriter(session, now);
        events.changed(change.task(), events.find(change.task()), false);
      }
    }
  }

  @Override
  public Set<RunKey> lockRuns(Collection<RunKey> runs) throws SQLException {
    Set<RunKey> found = new HashSet<>();
    CachedStatement find = statement("run.lock");
    for (RunKey run : runs) {
      find.id("batch", run.batch()).number("run", run.run()).one(row -> run).ifPresent(found::add);
    }
    return found;
  }

  @Override
  public void addOpen(Map<RunKey, Integer> deltas) throws SQLException {
    CachedStatement update = statement("run.add_open");
    for (Map.Entry<RunKey, Integer> entry : deltas.entrySet()) {
      update
          .id("batch", entry.getKey().batch())
          .number("run", entry.getKey().run())
          .number("delta", (long) entry.getValue())
          .update();
    }
  }

  @Override
  public void setCounted(Map<UUID, Boolean> counted) throws SQLException {
    CachedStatement update = statement("graph.set_counted");
    for (Map.Entry<UUID, Boolean> entry : counted.entrySet()) {
      update.id("id", entry.getKey()).flag("counted", entry.getValue()).update();
    }
  }

  @Override
  public void addEvents(Collection<UUID> tasks) throws SQLException {
    CachedStatement insert = statement("propagation_event.insert").number("now", now);
    for (UUID task : tasks) {
      insert.id("task", task).update();
    }
  }

  @Override
  public void deleteEvents(List<Event> events) throws SQLException {
    CachedStatement delete = session.statement("propagation_event.delete");
    for (Event event : events) {
      delete.number("number", event.number()).update();
    }
  }

  @Override
  public void postponeEvents(List<Event> events) throws SQLException {
    CachedStatement insert = statement("propagation_event.postpone");
    for (Event event : events) {
      UUID doneUpTo = event.doneUpTo();
      insert
          .id("task", event.task())
          .number("created_at", event.createdAt().toEpochMilli())
          .bytes("done_up_to", doneUpTo == null ? null : SqliteValues.bytes(doneUpTo))
          .update();
    }
  }

  private CachedStatement statement(String name) throws SQLException {
    return session.statement(name).number("shard", shard);
  }

  private static UUID id(ResultSet row, String column) throws SQLException {
    return SqliteValues.uuid(row.getBytes(column));
  }

  private static int code(@Nullable DependencyOutcome outcome) {
    return outcome == null ? 0 : outcome.code();
  }
}
