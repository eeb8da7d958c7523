// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.testkit.StoreFixture;
import java.sql.Connection;
import java.sql.SQLException;

/** A caller's transaction on its own connection. */
public final class JdbcTransaction implements StoreFixture.OpenTransaction {

  /** Opens the connection. */
  @FunctionalInterface
  public interface ConnectionSource {
    Connection open() throws SQLException;
  }

  private final JdbcStore store;
  private final Connection connection;

  public JdbcTransaction(JdbcStore store, ConnectionSource connectionSource) {
    this.store = store;
    try {
      connection = connectionSource.open();
      connection.setAutoCommit(false);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public CallerTransaction transaction() {
    return store.inTransaction(connection);
  }

  @Override
  public void commit() {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try (connection) {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
