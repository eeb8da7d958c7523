// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.NamedParameterStatement.RowMapper;
import dev.perdure.store.jdbc.sql.SqlStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is prepared once and run many times. Parameters keep their values, so a loop
 * sets only those that change.
 */
final class CachedStatement implements AutoCloseable {

  private final String name;
  private final Map<String, Integer> parameterIndexes = new HashMap<>();
  private final PreparedStatement statement;

  CachedStatement(Connection connection, SqlStatement sqlStatement) throws SQLException {
    this.name = sqlStatement.name();
    this.statement = connection.prepareStatement(numbered(sqlStatement));
  }

  /** Reads all rows of a result set. */
  @FunctionalInterface
  interface ResultSetReader {
    void read(ResultSet rows) throws SQLException;
  }

  /** Numbers the parameters, so that one that occurs several times is bound only once. */
  private String numbered(SqlStatement sqlStatement) {
    StringBuilder text = new StringBuilder();
    int next = 0;
    for (char c : sqlStatement.text().toCharArray()) {
      text.append(c);
      if (c == '?') {
        String parameter = sqlStatement.parameters().get(next++);
        text.append(
            parameterIndexes.computeIfAbsent(parameter, any -> parameterIndexes.size() + 1));
      }
    }
    return text.toString();
  }

  CachedStatement text(String parameter, @Nullable String value) throws SQLException {
    statement.setString(parameterIndex(parameter), value);
    return this;
  }

  CachedStatement number(String parameter, long value) throws SQLException {
    statement.setLong(parameterIndex(parameter), value);
    return this;
  }

  CachedStatement number(String parameter, @Nullable Long value) throws SQLException {
    statement.setObject(parameterIndex(parameter), value);
    return this;
  }

  CachedStatement flag(String parameter, boolean value) throws SQLException {
    statement.setInt(parameterIndex(parameter), value ? 1 : 0);
    return this;
  }

  CachedStatement id(String parameter, UUID value) throws SQLException {
    return bytes(parameter, SqliteValues.bytes(value));
  }

  CachedStatement bytes(String parameter, byte @Nullable [] value) throws SQLException {
    statement.setBytes(parameterIndex(parameter), value);
    return this;
  }

  private int parameterIndex(String parameter) {
    Integer index = parameterIndexes.get(parameter);
    if (index == null) {
      throw new IllegalArgumentException(name + " has no parameter " + parameter);
    }
    return index;
  }

  /** Runs the statement and returns the number of changed rows. */
  int update() throws SQLException {
    return statement.executeUpdate();
  }

  /** Runs the query and passes the whole result set to the reader. */
  void query(ResultSetReader reader) throws SQLException {
    try (ResultSet found = statement.executeQuery()) {
      reader.read(found);
    }
  }

  <T> List<T> list(RowMapper<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (ResultSet found = statement.executeQuery()) {
      while (found.next()) {
        rows.add(reader.map(found));
      }
    }
    return rows;
  }

  <T> Optional<T> one(RowMapper<T> reader) throws SQLException {
    try (ResultSet found = statement.executeQuery()) {
      return found.next() ? Optional.of(reader.map(found)) : Optional.empty();
    }
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
