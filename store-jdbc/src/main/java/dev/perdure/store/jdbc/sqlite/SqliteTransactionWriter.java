// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.CallersTransaction;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Writes on a caller's connection. Each is whole or not at all within his transaction; when he has
 * none, it is one of its own.
 */
final class SqliteTransactionWriter implements CallersTransaction {

  private final Connection connection;
  private final StoreSettings storeSettings;

  SqliteTransactionWriter(Connection connection, StoreSettings storeSettings) {
    this.connection = connection;
    this.storeSettings = storeSettings;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    submission.requireOneShard(storeSettings.shards());
    return write(
        (sqliteSession, now) -> new SqliteSubmissionWriter(sqliteSession, now).submit(submission));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> taskChanges) {
    return write(
        (sqliteSession, now) -> new SqliteChangeWriter(sqliteSession, now).apply(taskChanges));
  }

  private <T> T write(SqliteOperation<T> sqliteOperation) {
    try (Statement control = connection.createStatement();
        SqliteSession sqliteSession = new SqliteSession(connection)) {
      control.execute("SAVEPOINT perdure");
      boolean done = false;
      try {
        T answer = sqliteOperation.run(sqliteSession, sqliteSession.now(storeSettings.now()));
        done = true;
        return answer;
      } finally {
        sqliteSession.closeStatements();
        if (!done) {
          control.execute("ROLLBACK TO perdure");
        }
        control.execute("RELEASE perdure");
      }
    } catch (SQLException e) {
      throw SqliteErrors.toThrow(e);
    }
  }
}
