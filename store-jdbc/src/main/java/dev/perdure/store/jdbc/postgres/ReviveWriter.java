// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.TaskChange;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies changes of one shard that may revive tasks. If a live task has the dedupe key of a
 * revived one, the database rejects all changes of the statement. Then the revives are applied one
 * by one, apart from the other changes, and those whose key is taken are refused.
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
