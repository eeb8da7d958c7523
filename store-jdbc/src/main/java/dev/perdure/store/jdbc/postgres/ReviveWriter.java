// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Applies changes of one shard that may revive tasks. A revive is refused, without a write, if a
 * live task has its dedupe key: a task that waits for its key is tried again every second. If a key
 * is taken after that check, the database rejects all changes of the statement. Then the revives
 * are applied one by one, apart from the other changes, and those whose key is taken are refused.
 */
final class ReviveWriter {

  private final PostgresExecutor executor;
  private final PostgresChangeWriter changeWriter;

  /** The database has rejected the changes, and rolled them back. */
  private static final class DedupeKeyTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    DedupeKeyTakenException(SQLException cause) {
      super(cause);
    }
  }

  ReviveWriter(PostgresExecutor executor, PostgresChangeWriter changeWriter) {
    this.executor = executor;
    this.changeWriter = changeWriter;
  }

  List<WriteResult> apply(int shard, List<TaskChange> changes) {
    Map<UUID, WriteResult> refused = findTaken(shard, changes);
    List<TaskChange> tried =
        changes.stream()
            .filter(change -> !change.resetsRetries() || !refused.containsKey(change.task()))
            .toList();
    Iterator<WriteResult> triedResults =
        (tried.isEmpty() ? List.<WriteResult>of() : applyTried(shard, tried)).iterator();
    List<WriteResult> results = new ArrayList<>();
    for (TaskChange change : changes) {
      WriteResult early = change.resetsRetries() ? refused.get(change.task()) : null;
      results.add(early == null ? triedResults.next() : early);
    }
    return results;
  }

  /** Returns the results of revives whose dedupe key is taken, by task. */
  private Map<UUID, WriteResult> findTaken(int shard, List<TaskChange> changes) {
    List<UUID> revived =
        changes.stream().filter(TaskChange::resetsRetries).map(TaskChange::task).toList();
    return executor.runIdempotent(
        "find dedupe keys",
        (connection, mayHaveCommitted) -> {
          Map<UUID, WriteResult> refused = new HashMap<>();
          try (NamedParameterStatement statement =
              executor.statement(connection, "dedupe.is_dedupe_key_taken")) {
            statement.integer("shard", shard);
            PostgresParameters.array(statement, "ids", "uuid", revived, id -> id);
            ResultSet row = statement.query();
            while (row.next()) {
              TaskState state = TaskState.of(row.getString("state")).orElseThrow();
              refused.put(
                  row.getObject("id", UUID.class),
                  WriteResult.refused(state, row.getLong("epoch")));
            }
          }
          return refused;
        });
  }

  private List<WriteResult> applyTried(int shard, List<TaskChange> changes) {
    List<WriteResult> together = tryApply(shard, changes);
    if (together != null) {
      return together;
    }
    List<TaskChange> others = changes.stream().filter(change -> !change.resetsRetries()).toList();
    Iterator<WriteResult> otherResults =
        (others.isEmpty() ? List.<WriteResult>of() : applyOthers(shard, others)).iterator();
    List<WriteResult> results = new ArrayList<>();
    for (TaskChange change : changes) {
      results.add(change.resetsRetries() ? revive(shard, change) : otherResults.next());
    }
    return results;
  }

  private List<WriteResult> applyOthers(int shard, List<TaskChange> changes) {
    return executor.runIdempotent(
        "apply",
        (connection, mayHaveCommitted) ->
            changeWriter.apply(connection, shard, changes, mayHaveCommitted));
  }

  private WriteResult revive(int shard, TaskChange change) {
    List<WriteResult> written = tryApply(shard, List.of(change));
    return written == null
        ? WriteResult.refused(change.guard().from(), change.guard().epoch())
        : written.getFirst();
  }

  /** Returns null if a dedupe key is taken. */
  private @Nullable List<WriteResult> tryApply(int shard, List<TaskChange> changes) {
    try {
      return executor.runIdempotent(
          "apply",
          (connection, mayHaveCommitted) -> {
            try {
              return changeWriter.apply(connection, shard, changes, mayHaveCommitted);
            } catch (SQLException failure) {
              if (SqlErrorClass.isDedupeKeyTaken(failure)) {
                throw new DedupeKeyTakenException(failure);
              }
              throw failure;
            }
          });
    } catch (DedupeKeyTakenException taken) {
      return null;
    }
  }
}
