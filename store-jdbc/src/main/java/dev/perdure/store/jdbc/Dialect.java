// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The databases that can hold a store. */
enum Dialect {
  POSTGRES,
  SQLITE;

  /** Asks a connection. */
  static Dialect of(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return switch (product) {
        case "PostgreSQL" -> POSTGRES;
        case "SQLite" -> SQLITE;
        default ->
            throw new IllegalArgumentException(
                "the data source is of " + product + ", expected PostgreSQL or SQLite");
      };
    }
  }
}
