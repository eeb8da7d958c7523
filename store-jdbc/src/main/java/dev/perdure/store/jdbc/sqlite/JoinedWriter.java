// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.CallersTransaction;
import dev.perdure.engine.store.Receipt;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.store.jdbc.sql.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Writes on a caller's connection. Each is whole or not at all within his transaction; when he has
 * none, it is one of its own.
 */
final class JoinedWriter implements CallersTransaction {

  private final Connection connection;
  private final Settings settings;

  JoinedWriter(Connection connection, Settings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  @Override
  public Receipt submit(Submission submission) {
    submission.requireOneShard(settings.shards());
    return write((session, now) -> new Submitting(session, now).submit(submission));
  }

  @Override
  public List<Verdict> apply(List<Change> changes) {
    return write((session, now) -> new TaskWrites(session, now).apply(changes));
  }

  private <T> T write(Work<T> work) {
    try (Statement control = connection.createStatement();
        Session session = new Session(connection)) {
      control.execute("SAVEPOINT perdure");
      boolean done = false;
      try {
        T answer = work.on(session, session.now(settings.now()));
        done = true;
        return answer;
      } finally {
        session.forget();
        if (!done) {
          control.execute("ROLLBACK TO perdure");
        }
        control.execute("RELEASE perdure");
      }
    } catch (SQLException e) {
      throw SqliteFailures.toThrow(e);
    }
  }
}
