// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/**
 * The writer's connection with its transactions and savepoints.
 *
 * <p>Transactions are controlled with plain SQL. The driver's own transaction handling would take
 * the lock again right after each commit and keep all other processes out.
 */
final class WriteSession implements AutoCloseable {

  private final Connection connection;
  private final SqliteSession session;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement savepoint;
  private final PreparedStatement release;
  private final PreparedStatement rollback;

  WriteSession(Connection connection) throws SQLException {
    this.connection = connection;
    this.session = new SqliteSession(connection);
    // Otherwise the driver checks after each statement whether it must commit.
    connection.unwrap(SQLiteConnection.class).getConnectionConfig().setAutoCommit(false);
    this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
    this.commit = connection.prepareStatement("COMMIT");
    this.savepoint = connection.prepareStatement("SAVEPOINT operation");
    this.release = connection.prepareStatement("RELEASE operation");
    this.rollback = connection.prepareStatement("ROLLBACK TO operation");
  }

  SqliteSession session() {
    return session;
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
   * Rolls back to the savepoint and returns false if SQLite has already rolled back the whole
   * transaction.
   */
  boolean rollbackToSavepoint() {
    try {
      session.closeStatements();
      rollback.executeUpdate();
      release.executeUpdate();
      return true;
    } catch (SQLException alreadyRolledBack) {
      return false;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
