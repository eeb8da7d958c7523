// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** One operation on a connection. */
@FunctionalInterface
interface PostgresOperation<T> {

  /**
   * Does it.
   *
   * @param unsure true when an earlier try may have been done although its answer was lost
   */
  T run(Connection connection, boolean unsure) throws SQLException;
}
