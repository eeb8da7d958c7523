// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.sql.CallerConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes in the transaction of the caller's connection. It never retries: after an error the
 * transaction can only be rolled back, which is up to the caller.
 */
final class PostgresTransactionWriter implements CallerTransaction {

  private final Connection connection;
  private final int shards;
  private final PostgresSubmissionWriter submissionWriter;
  private final PostgresChangeWriter changeWriter;

  PostgresTransactionWriter(
      Connection connection,
      int shards,
      PostgresSubmissionWriter submissionWriter,
      PostgresChangeWriter changeWriter) {
    this.connection = connection;
    this.shards = shards;
    this.submissionWriter = submissionWriter;
    this.changeWriter = changeWriter;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    submission.requireValid(shards);
    try {
      CallerConnections.requireTransaction(connection);
      return submissionWriter.submitAtomically(connection, submission);
    } catch (SQLException e) {
      throw failed("submit", e);
    }
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return ShardedWrites.run(
        changes,
        TaskChange::task,
        (shard, some) -> {
          try {
            CallerConnections.requireTransaction(connection);
            return changeWriter.apply(connection, shard, some, false);
          } catch (SQLException e) {
            throw failed("apply", e);
          }
        });
  }

  private static StoreException failed(String what, SQLException e) {
    return new StoreException(
        what + " in the caller's transaction failed: " + e.getMessage(),
        e,
        SqlErrorClass.of(e).errorKind(false));
  }
}
