// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import dev.perdure.engine.spi.CallersTransaction;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.store.jdbc.access.AccessStore;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * A store in a relational database: PostgreSQL for any number of processes, SQLite for one file.
 * Opening it brings the tables up to date; many processes may open it at once.
 */
public interface JdbcStore extends TaskStore {

  /**
   * Writes that join the caller's own transaction: they are durable when the caller commits, and
   * never were when he rolls back. Nothing is committed, rolled back, closed or kept. After an
   * exception the transaction is the caller's to roll back.
   */
  CallersTransaction inTransaction(Connection connection);

  /** What a server keeps beside the tasks. */
  AccessStore access();

  /**
   * Opens {@code sqlite:perdure.db}, {@code postgres://user:password@host:5432/database?…}, or any
   * JDBC URL of the two.
   */
  static JdbcStore open(String url) {
    return builder().url(url).open();
  }

  /** Opens the database behind a data source; it is not closed with the store. */
  static JdbcStore open(DataSource dataSource) {
    return builder().dataSource(dataSource).open();
  }

  static JdbcStoreBuilder builder() {
    return new JdbcStoreBuilder();
  }
}
