// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** One store operation on a connection. */
@FunctionalInterface
interface PostgresOperation<T> {

  /**
   * Runs the operation.
   *
   * @param mayHaveCommitted true if an earlier try may have been applied although its response was
   *     lost
   */
  T run(Connection connection, boolean mayHaveCommitted) throws SQLException;
}
