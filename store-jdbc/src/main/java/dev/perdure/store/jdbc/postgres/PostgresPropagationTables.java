// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.PropagationTables;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The tables of one shard, on a connection with an open transaction. */
final class PostgresPropagationTables implements PropagationTables<SQLException> {

  private final PostgresExecutor executor;
  private final Connection connection;
  private final int shard;
  private final PostgresColumnReader columns = new PostgresColumnReader();
  private final TaskRowMapper rowMapper = new TaskRowMapper(columns);

  PostgresPropagationTables(PostgresExecutor executor, Connection connection, int shard) {
    this.executor = executor;
    this.connection = connection;
    this.shard = shard;
  }

  @Override
  public List<Event> takeEvents(int limit) throws SQLException {
    List<Event> events = new ArrayList<>();
    try (NamedParameterStatement statement = statement("propagation_event.take")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      ResultSet row = statement.integer("limit", limit).query();
      while (row.next()) {
        events.add(
            new Event(
                row.getLong("number"),
                columns.uuid(row, "task"),
                rowMapper.instant(row, "created_at"),
                Duration.ofMillis(Math.max(0, row.getLong("age_ms"))),
                row.getObject("done_up_to", UUID.class)));
      }
    }
    return events;
  }

  @Override
  public Map<UUID, LockedTask> lock(Collection<UUID> tasks) throws SQLException {
    Map<UUID, LockedTask> locked = new HashMap<>();
    List<UUID> ids = List.copyOf(tasks);
    try (NamedParameterStatement statement = statement("graph.lock_for_propagation")) {
      indexes(statement, ids.size());
      PostgresParameters.array(statement, "ids", "uuid", ids, id -> id);
      ResultSet row = statement.query();
      while (row.next()) {
        locked.put(
            columns.uuid(row, "id"),
            new LockedTask(
                row.getBoolean("superseded")
                    ? rowMapper.parentStatus(row).ofEarlierRun()
                    : rowMapper.parentStatus(row),
                new RunKey(columns.uuid(row, "batch"), row.getInt("run")),
                row.getBoolean("settled")));
      }
    }
    return locked;
  }

  @Override
  public Set<UUID> existing(Collection<UUID> tasks) throws SQLException {
    Set<UUID> found = new HashSet<>();
    try (NamedParameterStatement statement = statement("task_state.current_state")) {
      PostgresParameters.array(statement, "ids", "uuid", List.copyOf(tasks), id -> id);
      ResultSet row = statement.query();
      while (row.next()) {
        found.add(columns.uuid(row, "id"));
      }
    }
    return found;
  }

  @Override
  public List<Edge> disagreeing(List<Demand> demands, int limit) throws SQLException {
    List<Edge> edges = new ArrayList<>();
    try (NamedParameterStatement statement = statement("dependency.disagreeing")) {
      statement.integer("limit", limit);
      indexes(statement, demands.size());
      PostgresParameters.array(statement, "parents", "uuid", demands, Demand::parent);
      PostgresParameters.array(
          statement, "required_outcomes", "int4", demands, demand -> code(demand.required()));
      PostgresParameters.array(
          statement, "optional_outcomes", "int4", demands, demand -> code(demand.optional()));
      PostgresParameters.array(statement, "done_up_to", "uuid", demands, Demand::doneUpTo);
      PostgresParameters.array(statement, "settled", "bool", demands, Demand::settled);
      ResultSet row = statement.query();
      while (row.next()) {
        edges.add(
            new Edge(
                new Dependency(
                    columns.uuid(row, "parent"),
                    columns.uuid(row, "child"),
                    row.getBoolean("required")),
                DependencyOutcome.ofCode(row.getInt("outcome"))));
      }
    }
    return edges;
  }

  @Override
  public List<Dependency> doomed(Collection<UUID> tasks, int limit) throws SQLException {
    List<Dependency> found = new ArrayList<>();
    try (NamedParameterStatement statement = statement("dependency.doomed")) {
      statement.integer("limit", limit);
      PostgresParameters.array(statement, "ids", "uuid", List.copyOf(tasks), id -> id);
      ResultSet row = statement.query();
      while (row.next()) {
        found.add(new Dependency(columns.uuid(row, "parent"), columns.uuid(row, "child"), true));
      }
    }
    return found;
  }

  @Override
  public Map<UUID, List<UUID>> deadEnds(Collection<UUID> children, int limit) throws SQLException {
    Map<UUID, List<UUID>> found = new HashMap<>();
    try (NamedParameterStatement statement = statement("dependency.dead_ends")) {
      statement.integer("limit", limit);
      PostgresParameters.array(statement, "ids", "uuid", List.copyOf(children), id -> id);
      ResultSet row = statement.query();
      while (row.next()) {
        found
            .computeIfAbsent(columns.uuid(row, "child"), child -> new ArrayList<>())
            .add(columns.uuid(row, "parent"));
      }
    }
    return found;
  }

  @Override
  public void setOutcomes(List<Edge> edges) throws SQLException {
    if (edges.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = statement("dependency.set_outcome")) {
      indexes(statement, edges.size());
      PostgresParameters.array(
          statement, "parents", "uuid", edges, edge -> edge.dependency().parent());
      PostgresParameters.array(
          statement, "children", "uuid", edges, edge -> edge.dependency().child());
      PostgresParameters.array(statement, "outcomes", "int4", edges, edge -> code(edge.outcome()));
      statement.update();
    }
  }

  @Override
  public void setCounts(List<CountChange> changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = statement("graph.propagate")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      indexes(statement, changes.size());
      PostgresParameters.array(statement, "ids", "uuid", changes, CountChange::task);
      PostgresParameters.array(
          statement, "from_states", "text", changes, change -> change.from().text());
      PostgresParameters.array(
          statement, "to_states", "text", changes, change -> change.to().text());
      PostgresParameters.array(
          statement, "unmet", "int4", changes, change -> change.counts().unmet());
      PostgresParameters.array(
          statement, "unmet_failed", "int4", changes, change -> change.counts().failed());
      statement.update();
    }
  }

  @Override
  public Set<RunKey> lockRuns(Collection<RunKey> runs) throws SQLException {
    Set<RunKey> locked = new HashSet<>();
    try (NamedParameterStatement statement = statement("run.lock")) {
      bindRuns(statement, List.copyOf(runs));
      ResultSet row = statement.query();
      while (row.next()) {
        locked.add(new RunKey(columns.uuid(row, "batch"), row.getInt("run")));
      }
    }
    return locked;
  }

  @Override
  public void addOpen(Map<RunKey, Integer> deltas) throws SQLException {
    List<RunKey> runs = List.copyOf(deltas.keySet());
    try (NamedParameterStatement statement = statement("run.add_open")) {
      bindRuns(statement, runs);
      PostgresParameters.array(statement, "deltas", "int4", runs, deltas::get);
      statement.update();
    }
  }

  private static void bindRuns(NamedParameterStatement statement, List<RunKey> runs)
      throws SQLException {
    indexes(statement, runs.size());
    PostgresParameters.array(statement, "batches", "uuid", runs, RunKey::batch);
    PostgresParameters.array(statement, "runs", "int4", runs, RunKey::run);
  }

  @Override
  public void setCounted(Map<UUID, Boolean> counted) throws SQLException {
    List<UUID> tasks = List.copyOf(counted.keySet());
    try (NamedParameterStatement statement = statement("graph.set_counted")) {
      indexes(statement, tasks.size());
      PostgresParameters.array(statement, "ids", "uuid", tasks, id -> id);
      PostgresParameters.array(statement, "counted", "bool", tasks, counted::get);
      statement.update();
    }
  }

  @Override
  public void addEvents(Collection<UUID> tasks) throws SQLException {
    if (tasks.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = statement("propagation_event.insert")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      PostgresParameters.array(statement, "tasks", "uuid", List.copyOf(tasks), id -> id);
      statement.update();
    }
  }

  @Override
  public void deleteEvents(List<Event> events) throws SQLException {
    try (NamedParameterStatement statement = statement("propagation_event.delete")) {
      PostgresParameters.array(statement, "numbers", "int8", events, Event::number);
      statement.update();
    }
  }

  @Override
  public void postponeEvents(List<Event> events) throws SQLException {
    if (events.isEmpty()) {
      return;
    }
    try (NamedParameterStatement statement = statement("propagation_event.postpone")) {
      PostgresParameters.array(statement, "tasks", "uuid", events, Event::task);
      PostgresParameters.array(
          statement,
          "created_at",
          "timestamptz",
          events,
          event -> PostgresParameters.instantText(event.createdAt()));
      PostgresParameters.array(statement, "done_up_to", "uuid", events, Event::doneUpTo);
      statement.update();
    }
  }

  private NamedParameterStatement statement(String name) throws SQLException {
    return executor.statement(connection, name).integer("shard", shard);
  }

  private static void indexes(NamedParameterStatement statement, int size) throws SQLException {
    PostgresParameters.array(
        statement,
        "item_indexes",
        "int4",
        IntStream.range(0, size).boxed().toList(),
        index -> index);
  }

  private static int code(@Nullable DependencyOutcome outcome) {
    return outcome == null ? 0 : outcome.code();
  }
}
