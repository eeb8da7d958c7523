// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.sql.SQLException;

/**
 * One store operation on a connection, at the given millisecond. It can run more than once, each
 * time after its writes were rolled back, so it must have no other side effects.
 */
@FunctionalInterface
interface SqliteOperation<T> {
  T run(SqliteSession session, long now) throws SQLException;
}
