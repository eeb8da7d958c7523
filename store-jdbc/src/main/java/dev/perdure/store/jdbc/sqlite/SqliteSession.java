// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection and the statements prepared on it. For one thread at a time. */
final class SqliteSession implements AutoCloseable {

  private static final SqlStatements SQL = SqlStatements.load("sqlite");

  private final Connection connection;
  private final Map<String, CachedStatement> prepared = new HashMap<>();

  SqliteSession(Connection connection) {
    this.connection = connection;
  }

  /** The statement of this name, as in {@code claim.take}. */
  CachedStatement statement(String name) throws SQLException {
    CachedStatement known = prepared.get(name);
    if (known == null) {
      known = new CachedStatement(connection, SQL.get(name));
      prepared.put(name, known);
    }
    return known;
  }

  /** What time it is, in milliseconds; SQLite's own clock unless the instant is given. */
  long now(@Nullable Instant given) throws SQLException {
    return statement("node.clock")
        .number("now", SqliteValues.millis(given))
        .one(row -> row.getLong("now"))
        .orElseThrow();
  }

  Connection connection() {
    return connection;
  }

  /** Closes the statements: after a failure the driver may have taken them away. */
  void closeStatements() throws SQLException {
    for (CachedStatement statement : prepared.values()) {
      statement.close();
    }
    prepared.clear();
  }

  /** Closes the statements; the connection stays open. */
  @Override
  public void close() throws SQLException {
    closeStatements();
  }
}
