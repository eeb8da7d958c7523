// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection and the statements prepared on it. For one thread at a time. */
final class Session implements AutoCloseable {

  private static final NamedSql SQL = NamedSql.load("sqlite");

  private final Connection connection;
  private final Map<String, Prepared> prepared = new HashMap<>();

  Session(Connection connection) {
    this.connection = connection;
  }

  /** The statement of this name, as in {@code claim.take}. */
  Prepared sql(String name) throws SQLException {
    Prepared known = prepared.get(name);
    if (known == null) {
      known = new Prepared(connection, SQL.get(name));
      prepared.put(name, known);
    }
    return known;
  }

  /** What time it is, in milliseconds; SQLite's own clock unless the instant is given. */
  long now(@Nullable Instant given) throws SQLException {
    return sql("node.clock")
        .number("now", Values.millis(given))
        .row(row -> row.getLong("now"))
        .orElseThrow();
  }

  Connection connection() {
    return connection;
  }

  /** Closes the statements: after a failure the driver may have taken them away. */
  void forget() throws SQLException {
    for (Prepared statement : prepared.values()) {
      statement.close();
    }
    prepared.clear();
  }

  /** Closes the statements; the connection stays open. */
  @Override
  public void close() throws SQLException {
    forget();
  }
}
