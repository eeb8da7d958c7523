// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.TaskRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids and instants as SQLite keeps them. */
final class SqliteColumns implements TaskRows.Columns {

  static final SqliteColumns INSTANCE = new SqliteColumns();
  static final TaskRows ROWS = new TaskRows(INSTANCE);

  private SqliteColumns() {}

  @Override
  public UUID uuid(ResultSet row, String column) throws SQLException {
    return Values.uuid(row.getBytes(column));
  }

  @Override
  public @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }
}
