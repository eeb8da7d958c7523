// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A database for one round. It is deleted on close. */
public interface BenchDatabase extends AutoCloseable {

  /** The URL for a Perdure store. */
  String url();

  /** The JDBC URL. */
  String jdbcUrl();

  /** Opens a connection with the same durability settings as the store. */
  Connection connect() throws SQLException;

  /** Writes pending changes to disk, so that the next round does not pay for them. */
  void checkpoint() throws SQLException;

  /** Starts counting the work of the database. */
  UsageMeter meter() throws SQLException;

  @Override
  void close() throws SQLException;

  /** Counts the work of the database since its creation. */
  interface UsageMeter {
    /** The cost per task. Call it after the contender has closed its connections. */
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
