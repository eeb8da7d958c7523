// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Checks connections on which a caller has begun a transaction. */
public final class CallerConnections {

  private CallerConnections() {}

  /** Throws if each statement would commit by itself, so that a rollback could not undo it. */
  public static void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection is in auto-commit mode, so there is no transaction to take part in: call"
              + " connection.setAutoCommit(false) before, and connection.commit() after. With"
              + " Spring, use the connection that JdbcTemplate.execute provides, in a"
              + " @Transactional method");
    }
  }
}
