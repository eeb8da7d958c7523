// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes in the transaction of a caller's connection. Nothing is tried again: after a failure the
 * transaction can only be rolled back, and that is the caller's to do.
 */
final class JoinedWriter implements CallersTransaction {

  private final Connection connection;
  private final int shards;
  private final Submitting submitting;
  private final Applying applying;

  JoinedWriter(Connection connection, int shards, Submitting submitting, Applying applying) {
    this.connection = connection;
    this.shards = shards;
    this.submitting = submitting;
    this.applying = applying;
  }

  @Override
  public Receipt submit(Submission submission) {
    submission.requireOneShard(shards);
    try {
      return submitting.submitTogether(connection, submission);
    } catch (SQLException e) {
      throw failed("submit", e);
    }
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return ByShard.of(
        changes,
        Change::task,
        (shard, some) -> {
          try {
            return applying.apply(connection, shard, some, false);
          } catch (SQLException e) {
            throw failed("apply", e);
          }
        });
  }

  private static StoreException failed(String what, SQLException e) {
    return new StoreException(
        what + " in the caller's transaction failed: " + e.getMessage(),
        e,
        Trouble.of(e).sort(false));
  }
}
