// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** One operation on a connection. */
@FunctionalInterface
interface Work<T> {

  /**
   * Does it.
   *
   * @param unsure true when an earlier try may have been done although its answer was lost
   */
  T on(Connection connection, boolean unsure) throws SQLException;
}
