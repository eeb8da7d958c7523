// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection with its cached statements. Not thread-safe. */
final class SqliteSession implements AutoCloseable {

  private static final SqlStatements SQL = SqlStatements.load("sqlite");

  private final Connection connection;
  private final Map<String, CachedStatement> prepared = new HashMap<>();

  SqliteSession(Connection connection) {
    this.connection = connection;
  }

  /** Returns the statement with this name, for example {@code claim.take}. */
  CachedStatement statement(String name) throws SQLException {
    CachedStatement statement = prepared.get(name);
    if (statement == null) {
      statement = new CachedStatement(connection, SQL.get(name));
      prepared.put(name, statement);
    }
    return statement;
  }

  /** Returns the time in milliseconds: the given instant, or SQLite's clock if it is null. */
  long now(@Nullable Instant given) throws SQLException {
    return statement("node.clock")
        .number("now", SqliteValues.millis(given))
        .one(row -> row.getLong("now"))
        .orElseThrow();
  }

  /** Marks where {@link #rollbackToSavepoint} rolls back to, within an operation. */
  void savepoint() throws SQLException {
    execute("SAVEPOINT step");
  }

  void releaseSavepoint() throws SQLException {
    execute("RELEASE step");
  }

  void rollbackToSavepoint() throws SQLException {
    closeStatements();
    execute("ROLLBACK TO step");
    execute("RELEASE step");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  Connection connection() {
    return connection;
  }

  /** Closes all statements. After an error the driver may have invalidated them. */
  void closeStatements() throws SQLException {
    for (CachedStatement statement : prepared.values()) {
      statement.close();
    }
    prepared.clear();
  }

  /** Closes all statements but not the connection. */
  @Override
  public void close() throws SQLException {
    closeStatements();
  }
}
