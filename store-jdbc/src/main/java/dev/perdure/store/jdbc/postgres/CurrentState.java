// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Looks up the state of tasks whose write was refused. */
final class CurrentState {

  private final PostgresExecutor executor;

  CurrentState(PostgresExecutor executor) {
    this.executor = executor;
  }

  /** The fields of a task that a guard compares. */
  record StateRow(TaskState state, long epoch, long attempt) {}

  /** Decides from the current state whether an earlier try had already applied a write. */
  @FunctionalInterface
  interface EarlierWriteCheck<T> {
    boolean wasWritten(T item, StateRow found) throws SQLException;
  }

  /**
   * Returns one result per write. Refused writes are looked up after the write, so the lookup sees
   * the state that made the guard fail.
   */
  <T> List<WriteResult> results(
      Connection connection, int shard, GuardedWrites<T> writes, EarlierWriteCheck<T> check)
      throws SQLException {
    Set<UUID> refused = writes.refused();
    Map<UUID, StateRow> rows = refused.isEmpty() ? Map.of() : find(connection, shard, refused);
    List<WriteResult> results = new ArrayList<>();
    for (int index = 0; index < writes.items().size(); index++) {
      StateRow row = rows.get(writes.task(index));
      if (writes.isApplied(index)) {
        results.add(WriteResult.written(writes.isObserved(index), writes.isLimited(index)));
      } else if (row == null) {
        results.add(WriteResult.notFound());
      } else {
        results.add(
            check.wasWritten(writes.item(index), row)
                ? WriteResult.written()
                : WriteResult.refused(row.state(), row.epoch()));
      }
    }
    return results;
  }

  private Map<UUID, StateRow> find(Connection connection, int shard, Set<UUID> ids)
      throws SQLException {
    Map<UUID, StateRow> rows = new HashMap<>();
    try (NamedParameterStatement statement =
        executor.statement(connection, "task_state.current_state")) {
      statement.integer("shard", shard);
      PostgresParameters.array(statement, "ids", "uuid", List.copyOf(ids), id -> id);
      ResultSet found = statement.query();
      while (found.next()) {
        rows.put(
            found.getObject("id", UUID.class),
            new StateRow(
                TaskState.of(found.getString("state")).orElseThrow(),
                found.getLong("epoch"),
                found.getLong("attempt")));
      }
    }
    return rows;
  }
}
