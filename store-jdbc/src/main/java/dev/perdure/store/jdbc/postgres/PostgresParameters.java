// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.task.Due;
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

/** Sets what only PostgreSQL has a type for. */
final class PostgresParameters {

  private PostgresParameters() {}

  static void uuid(
      NamedParameterStatement namedParameterStatement, String parameter, @Nullable UUID value)
      throws SQLException {
    namedParameterStatement.set(
        parameter, (target, index) -> target.setObject(index, value, Types.OTHER));
  }

  static void instant(
      NamedParameterStatement namedParameterStatement, String parameter, @Nullable Instant value)
      throws SQLException {
    Object given = value == null ? null : SqlTimes.clamp(value).atOffset(ZoneOffset.UTC);
    namedParameterStatement.set(
        parameter,
        (target, index) -> target.setObject(index, given, Types.TIMESTAMP_WITH_TIMEZONE));
  }

  /**
   * One array of a statement's many: a value of each item. Where none has one there is no array:
   * unnest fills up the shorter ones.
   */
  static <T> void array(
      NamedParameterStatement namedParameterStatement,
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
      namedParameterStatement.set(parameter, (target, index) -> target.setNull(index, Types.ARRAY));
      return;
    }
    namedParameterStatement.set(
        parameter,
        (target, index) -> {
          Connection connection = target.getConnection();
          target.setArray(index, connection.createArrayOf(type, values));
        });
  }

  /** The driver sends arrays in binary when they say what they are arrays of. */
  private static @Nullable Object[] arrayOf(String type, int size) {
    return switch (type) {
      case "int8" -> new @Nullable Long[size];
      case "int4" -> new @Nullable Integer[size];
      case "bool" -> new @Nullable Boolean[size];
      case "text" -> new @Nullable String[size];
      default -> new @Nullable Object[size];
    };
  }

  /** PostgreSQL's text has no place for the character 0, and a message may come with one. */
  static @Nullable String withoutNul(@Nullable String value) {
    return value == null || value.indexOf('\0') < 0 ? value : value.replace('\0', '\uFFFD');
  }

  static @Nullable String instantText(@Nullable Instant value) {
    return value == null ? null : SqlTimes.clamp(value).toString();
  }

  /** The instant of a due that names one. */
  static @Nullable String dueAt(Due due) {
    return due instanceof Due.At at ? instantText(at.instant()) : null;
  }
}
