// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.TaskRowMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads ids and instants as SQLite stores them. */
final class SqliteColumnReader implements TaskRowMapper.ColumnReader {

  static final SqliteColumnReader INSTANCE = new SqliteColumnReader();
  static final TaskRowMapper TASK_ROW_MAPPER = new TaskRowMapper(INSTANCE);

  private SqliteColumnReader() {}

  @Override
  public UUID uuid(ResultSet row, String column) throws SQLException {
    return SqliteValues.uuid(row.getBytes(column));
  }

  @Override
  public @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }
}
