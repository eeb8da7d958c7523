// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.jdbc.sql.Sql;
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
 * A statement that is prepared once and run often. What was set stays set: in a loop only what
 * differs from row to row is set again.
 */
final class Prepared implements AutoCloseable {

  private final String name;
  private final Map<String, Integer> places = new HashMap<>();
  private final PreparedStatement statement;

  Prepared(Connection connection, Sql sql) throws SQLException {
    this.name = sql.name();
    this.statement = connection.prepareStatement(numbered(sql));
  }

  /** Reads one row. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Reads all rows. */
  @FunctionalInterface
  interface Rows {
    void read(ResultSet rows) throws SQLException;
  }

  /** A parameter that stands in several places is one to SQLite, and handed over once. */
  private String numbered(Sql sql) {
    StringBuilder text = new StringBuilder();
    int next = 0;
    for (char c : sql.text().toCharArray()) {
      text.append(c);
      if (c == '?') {
        String parameter = sql.parameters().get(next++);
        text.append(places.computeIfAbsent(parameter, any -> places.size() + 1));
      }
    }
    return text.toString();
  }

  Prepared text(String parameter, @Nullable String value) throws SQLException {
    statement.setString(place(parameter), value);
    return this;
  }

  Prepared number(String parameter, long value) throws SQLException {
    statement.setLong(place(parameter), value);
    return this;
  }

  Prepared number(String parameter, @Nullable Long value) throws SQLException {
    statement.setObject(place(parameter), value);
    return this;
  }

  Prepared flag(String parameter, boolean value) throws SQLException {
    statement.setInt(place(parameter), value ? 1 : 0);
    return this;
  }

  Prepared id(String parameter, UUID value) throws SQLException {
    return bytes(parameter, Values.bytes(value));
  }

  Prepared bytes(String parameter, byte @Nullable [] value) throws SQLException {
    statement.setBytes(place(parameter), value);
    return this;
  }

  private int place(String parameter) {
    Integer place = places.get(parameter);
    if (place == null) {
      throw new IllegalArgumentException(name + " has no parameter " + parameter);
    }
    return place;
  }

  /** How many rows it changed. */
  int update() throws SQLException {
    return statement.executeUpdate();
  }

  /** Hands over all rows at once. */
  void each(Rows reader) throws SQLException {
    try (ResultSet found = statement.executeQuery()) {
      reader.read(found);
    }
  }

  <T> List<T> rows(Row<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (ResultSet found = statement.executeQuery()) {
      while (found.next()) {
        rows.add(reader.read(found));
      }
    }
    return rows;
  }

  <T> Optional<T> row(Row<T> reader) throws SQLException {
    try (ResultSet found = statement.executeQuery()) {
      return found.next() ? Optional.of(reader.read(found)) : Optional.empty();
    }
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
