// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.InitialDependencies;
import dev.perdure.engine.spi.InitialDependencies.NewDependency;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.RunCopy.OldTask;
import dev.perdure.engine.spi.StoredParents;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Stores what new tasks depend on. */
final class DependencyWriter {

  private static final int MAX_ROWS_PER_STATEMENT = 10_000;

  private final PostgresExecutor executor;
  private final TaskRowMapper rowMapper = new TaskRowMapper(new PostgresColumnReader());

  DependencyWriter(PostgresExecutor executor) {
    this.executor = executor;
  }

  /**
   * Locks stored parents and marks them, so that their ends are recorded. A task that replaces one
   * of an earlier run is locked after all others.
   *
   * @param parents in the order of their ids
   */
  StoredParents observe(Connection connection, int shard, List<UUID> parents) throws SQLException {
    Map<UUID, ParentStatus> found = new HashMap<>();
    Map<UUID, UUID> copies = new HashMap<>();
    List<UUID> next = parents;
    while (!next.isEmpty()) {
      Map<UUID, UUID> superseded = observe(connection, shard, next, found);
      copies.putAll(superseded);
      next = superseded.values().stream().sorted(IdOrder.BYTEWISE).toList();
    }
    return new StoredParents(found, copies);
  }

  /** Returns the copies of those that have been superseded, and adds the others. */
  private Map<UUID, UUID> observe(
      Connection connection, int shard, List<UUID> parents, Map<UUID, ParentStatus> found)
      throws SQLException {
    Map<UUID, UUID> copies = new HashMap<>();
    for (List<UUID> chunk : chunks(parents)) {
      try (NamedParameterStatement statement = executor.statement(connection, "graph.observe")) {
        ResultSet row = bindIds(statement, shard, chunk).query();
        while (row.next()) {
          UUID id = row.getObject("id", UUID.class);
          UUID copy = row.getObject("superseded_by", UUID.class);
          if (copy == null) {
            found.put(id, rowMapper.parentStatus(row));
          } else {
            copies.put(id, copy);
          }
        }
      }
    }
    return copies;
  }

  /**
   * Locks tasks; returns those that exist.
   *
   * @param tasks in the order of their ids
   */
  Map<UUID, OldTask> lock(Connection connection, int shard, List<UUID> tasks) throws SQLException {
    Map<UUID, OldTask> found = new HashMap<>();
    for (List<UUID> chunk : chunks(tasks)) {
      try (NamedParameterStatement statement = executor.statement(connection, "graph.lock")) {
        ResultSet row = bindIds(statement, shard, chunk).query();
        while (row.next()) {
          OldTask task = oldTask(row);
          found.put(task.id(), task);
        }
      }
    }
    return found;
  }

  static OldTask oldTask(ResultSet row) throws SQLException {
    return new OldTask(
        row.getObject("id", UUID.class),
        row.getInt("observers"),
        row.getBoolean("live"),
        row.getString("dedupe_key"));
  }

  private static NamedParameterStatement bindIds(
      NamedParameterStatement statement, int shard, List<UUID> ids) throws SQLException {
    statement.integer("shard", shard);
    PostgresParameters.array(
        statement,
        "item_indexes",
        "int4",
        IntStream.range(0, ids.size()).boxed().toList(),
        index -> index);
    PostgresParameters.array(statement, "ids", "uuid", ids, id -> id);
    return statement;
  }

  void insert(Connection connection, int shard, InitialDependencies initial) throws SQLException {
    for (List<NewDependency> chunk : chunks(initial.rows())) {
      try (NamedParameterStatement statement =
          executor.statement(connection, "dependency.insert")) {
        statement.integer("shard", shard);
        PostgresParameters.array(
            statement, "parents", "uuid", chunk, row -> row.dependency().parent());
        PostgresParameters.array(
            statement, "children", "uuid", chunk, row -> row.dependency().child());
        PostgresParameters.array(
            statement, "required", "bool", chunk, row -> row.dependency().requiresSuccess());
        PostgresParameters.array(
            statement,
            "outcomes",
            "int4",
            chunk,
            row -> row.outcome() == null ? null : row.outcome().code());
        PostgresParameters.array(
            statement, "deferred", "bool", chunk, row -> row.deferred() ? true : null);
        statement.update();
      }
    }
    insertEvents(connection, shard, initial.events());
  }

  void insertEvents(Connection connection, int shard, List<UUID> tasks) throws SQLException {
    for (List<UUID> chunk : chunks(tasks)) {
      try (NamedParameterStatement statement =
          executor.statement(connection, "propagation_event.insert")) {
        PostgresParameters.instant(statement, "now", executor.settings().now());
        PostgresParameters.array(
            statement.integer("shard", shard), "tasks", "uuid", chunk, id -> id);
        statement.update();
      }
    }
  }

  private static <T> List<List<T>> chunks(List<T> items) {
    return IntStream.iterate(0, from -> from < items.size(), from -> from + MAX_ROWS_PER_STATEMENT)
        .mapToObj(
            from -> items.subList(from, Math.min(items.size(), from + MAX_ROWS_PER_STATEMENT)))
        .toList();
  }
}
