// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc;

import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.store.jdbc.access.AccessStore;
import dev.perdure.store.jdbc.access.ChannelStore;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * A task store in a relational database: PostgreSQL for any number of processes, or SQLite for one
 * file. Opening it migrates the tables; many processes can open it at once.
 */
public interface JdbcStore extends TaskStore {

  /**
   * Returns a writer that takes part in your own transaction. Its writes become durable when you
   * commit and disappear when you roll back. It never commits, rolls back or closes the connection.
   * After an exception you must roll back. On a connection in auto-commit mode, writes throw an
   * {@link IllegalStateException}.
   */
  CallerTransaction inTransaction(Connection connection);

  /** Returns the API keys, audit entries and secrets of this database. */
  AccessStore access();

  /** Returns what all nodes know about the use of notification channels. */
  ChannelStore channels();

  /** Returns the open connections; 0 if they are in a pool that cannot be asked. */
  ConnectionCounts connections();

  /**
   * Connections to the database.
   *
   * @param idle those that are open and not in use
   */
  record ConnectionCounts(int open, int idle) {}

  /**
   * Opens {@code sqlite:perdure.db}, {@code postgres://user:password@host:5432/database?…}, or any
   * JDBC URL of SQLite or PostgreSQL.
   */
  static JdbcStore open(String url) {
    return builder().url(url).open();
  }

  /** Opens the database behind a data source. Closing the store does not close the data source. */
  static JdbcStore open(DataSource dataSource) {
    return builder().dataSource(dataSource).open();
  }

  /**
   * Only migrates the tables, as {@link #open(String)} does before it opens the store.
   *
   * @return the number of migrations that were applied; 0 if the tables were up to date
   */
  static int migrate(String url) {
    return JdbcStoreBuilder.migrate(StoreUrl.parse(url));
  }

  static JdbcStoreBuilder builder() {
    return new JdbcStoreBuilder();
  }
}
