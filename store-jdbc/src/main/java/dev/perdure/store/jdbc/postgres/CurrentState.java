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

/** Tells what was found instead of what a refused write expected. */
final class CurrentState {

  private final PostgresExecutor executor;

  CurrentState(PostgresExecutor postgresExecutor) {
    this.executor = postgresExecutor;
  }

  /** Where a task stands. */
  record StateRow(TaskState state, long epoch, long attempt) {}

  /** Tells whether what is found shows that an earlier try had written it. */
  @FunctionalInterface
  interface EarlierWriteCheck<T> {
    boolean wasWritten(T item, StateRow found) throws SQLException;
  }

  /**
   * One verdict each; those that were refused are looked up, after the write and so with what made
   * it fail.
   */
  <T> List<WriteResult> results(
      Connection connection,
      int shard,
      GuardedWrites<T> guardedWrites,
      EarlierWriteCheck<T> earlierWriteCheck)
      throws SQLException {
    Set<UUID> refused = guardedWrites.refused();
    Map<UUID, StateRow> stateRows = refused.isEmpty() ? Map.of() : find(connection, shard, refused);
    List<WriteResult> writeResults = new ArrayList<>();
    for (int place = 0; place < guardedWrites.items().size(); place++) {
      StateRow stateRow = stateRows.get(guardedWrites.task(place));
      if (guardedWrites.isApplied(place)) {
        writeResults.add(WriteResult.written());
      } else if (stateRow == null) {
        writeResults.add(WriteResult.notFound());
      } else {
        writeResults.add(
            earlierWriteCheck.wasWritten(guardedWrites.item(place), stateRow)
                ? WriteResult.written()
                : WriteResult.refused(stateRow.state(), stateRow.epoch()));
      }
    }
    return writeResults;
  }

  private Map<UUID, StateRow> find(Connection connection, int shard, Set<UUID> ids)
      throws SQLException {
    Map<UUID, StateRow> stateRows = new HashMap<>();
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "task_state.current_state")) {
      namedParameterStatement.integer("shard", shard);
      PostgresParameters.array(namedParameterStatement, "ids", "uuid", List.copyOf(ids), id -> id);
      ResultSet found = namedParameterStatement.query();
      while (found.next()) {
        stateRows.put(
            found.getObject("id", UUID.class),
            new StateRow(
                TaskState.of(found.getString("state")).orElseThrow(),
                found.getLong("epoch"),
                found.getLong("attempt")));
      }
    }
    return stateRows;
  }
}
