// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import java.sql.SQLException;

/**
 * What one operation does with a connection, at this millisecond. It may be done more than once,
 * after everything it wrote was taken back: it must leave nothing behind but its answer.
 */
@FunctionalInterface
interface SqliteOperation<T> {
  T run(SqliteSession sqliteSession, long now) throws SQLException;
}
