// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A database that one round has for itself; gone when it is closed. */
public interface BenchDatabase extends AutoCloseable {

  /** As a store takes it. */
  String url();

  /** As JDBC takes it. */
  String jdbcUrl();

  /** A connection as durable as the store's own. */
  Connection connect() throws SQLException;

  /** Puts what was done before behind, so that the next round does not pay for it. */
  void checkpoint() throws SQLException;

  /** Begins to count what the database does. */
  UsageMeter meter() throws SQLException;

  @Override
  void close() throws SQLException;

  /** Counts from when it was made. */
  interface UsageMeter {
    /** What {@code tasks} cost; asked when the contender has closed its connections. */
    DatabaseUsage read(int tasks) throws SQLException;
  }

  default void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  default long queryLong(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
