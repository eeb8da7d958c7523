// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.DueTime;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds values that need PostgreSQL's own types. */
final class PostgresParameters {

  private PostgresParameters() {}

  static void uuid(NamedParameterStatement statement, String parameter, @Nullable UUID value)
      throws SQLException {
    statement.set(parameter, (target, index) -> target.setObject(index, value, Types.OTHER));
  }

  static void instant(NamedParameterStatement statement, String parameter, @Nullable Instant value)
      throws SQLException {
    Object bound = value == null ? null : SqlTimes.clamp(value).atOffset(ZoneOffset.UTC);
    statement.set(
        parameter,
        (target, index) -> target.setObject(index, bound, Types.TIMESTAMP_WITH_TIMEZONE));
  }

  /**
   * Binds one of the parallel arrays of a statement, with one value per item. If all values are
   * null it binds no array, because unnest pads shorter arrays with nulls.
   */
  static <T> void array(
      NamedParameterStatement statement,
      String parameter,
      String type,
      List<T> items,
      Function<T, @Nullable Object> value)
      throws SQLException {
    @Nullable Object[] values = arrayOf(type, items.size());
    boolean empty = true;
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(items.get(i));
      empty &= values[i] == null;
    }
    if (empty) {
      statement.set(parameter, (target, index) -> target.setNull(index, Types.ARRAY));
      return;
    }
    statement.set(
        parameter,
        (target, index) -> {
          Connection connection = target.getConnection();
          target.setArray(index, connection.createArrayOf(type, values));
        });
  }

  /** The driver sends an array in binary only if its component type is known. */
  private static @Nullable Object[] arrayOf(String type, int size) {
    return switch (type) {
      case "int8" -> new @Nullable Long[size];
      case "int4" -> new @Nullable Integer[size];
      case "bool" -> new @Nullable Boolean[size];
      case "text" -> new @Nullable String[size];
      default -> new @Nullable Object[size];
    };
  }

  /**
   * Replaces NUL characters, which PostgreSQL's text type cannot hold but a message can contain.
   */
  static @Nullable String withoutNul(@Nullable String value) {
    return value == null || value.indexOf('\0') < 0 ? value : value.replace('\0', '\uFFFD');
  }

  static @Nullable String instantText(@Nullable Instant value) {
    return value == null ? null : SqlTimes.clamp(value).toString();
  }

  /** Returns the instant if the due time is absolute, otherwise null. */
  static @Nullable String dueAt(DueTime dueTime) {
    return dueTime instanceof DueTime.At at ? instantText(at.instant()) : null;
  }
}
