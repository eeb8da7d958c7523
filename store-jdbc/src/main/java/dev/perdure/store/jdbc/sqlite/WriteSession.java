// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/**
 * The writer's connection: its transactions and savepoints.
 *
 * <p>They are begun and ended by hand. The driver's own way takes the lock again as soon as a
 * transaction is committed, and would keep every other process out.
 */
final class WriteSession implements AutoCloseable {

  private final Connection connection;
  private final SqliteSession sqliteSession;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement savepoint;
  private final PreparedStatement release;
  private final PreparedStatement rollback;

  WriteSession(Connection connection) throws SQLException {
    this.connection = connection;
    this.sqliteSession = new SqliteSession(connection);
    // The driver would otherwise look after each statement whether there is something to commit.
    connection.unwrap(SQLiteConnection.class).getConnectionConfig().setAutoCommit(false);
    this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
    this.commit = connection.prepareStatement("COMMIT");
    this.savepoint = connection.prepareStatement("SAVEPOINT operation");
    this.release = connection.prepareStatement("RELEASE operation");
    this.rollback = connection.prepareStatement("ROLLBACK TO operation");
  }

  SqliteSession session() {
    return sqliteSession;
  }

  void begin() throws SQLException {
    begin.executeUpdate();
  }

  int commit() throws SQLException {
    return commit.executeUpdate();
  }

  void savepoint() throws SQLException {
    savepoint.executeUpdate();
  }

  void releaseSavepoint() throws SQLException {
    release.executeUpdate();
  }

  /**
   * Takes back what was written since the savepoint.
   *
   * @return false when SQLite has taken back the whole transaction already
   */
  boolean rollbackToSavepoint() {
    try {
      sqliteSession.closeStatements();
      rollback.executeUpdate();
      release.executeUpdate();
      return true;
    } catch (SQLException gone) {
      return false;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
