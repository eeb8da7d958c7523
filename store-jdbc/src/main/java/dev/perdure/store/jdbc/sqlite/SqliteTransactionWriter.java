// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.sql.CallerConnections;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Writes on the caller's connection. Each write is atomic within the caller's transaction. */
final class SqliteTransactionWriter implements CallerTransaction {

  private final Connection connection;
  private final StoreSettings settings;

  SqliteTransactionWriter(Connection connection, StoreSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  @Override
  public SubmissionReceipt submit(Submission submission) {
    submission.requireValid(settings.shards());
    return write((session, now) -> new SqliteSubmissionWriter(session, now).submit(submission));
  }

  @Override
  public List<WriteResult> apply(List<TaskChange> changes) {
    return write((session, now) -> new SqliteChangeWriter(session, now).apply(changes));
  }

  private <T> T write(SqliteOperation<T> operation) {
    try {
      CallerConnections.requireTransaction(connection);
    } catch (SQLException e) {
      throw SqliteErrors.toThrow(e);
    }
    try (Statement control = connection.createStatement();
        SqliteSession session = new SqliteSession(connection)) {
      control.execute("SAVEPOINT perdure");
      boolean done = false;
      try {
        T result = operation.run(session, session.now(settings.now()));
        done = true;
        return result;
      } finally {
        session.closeStatements();
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
