// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The supported databases. */
enum Dialect {
  POSTGRES,
  SQLITE;

  /** Finds the dialect by asking a connection. */
  static Dialect of(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return switch (product) {
        case "PostgreSQL" -> POSTGRES;
        case "SQLite" -> SQLITE;
        default ->
            throw new IllegalArgumentException(
                "the data source connects to " + product + ", expected PostgreSQL or SQLite");
      };
    }
  }
}
