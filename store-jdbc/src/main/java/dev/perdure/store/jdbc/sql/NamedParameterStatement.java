// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A prepared statement with named parameters. Set every parameter before you run it. */
public final class NamedParameterStatement implements AutoCloseable {

  private final SqlStatement sqlStatement;
  private final PreparedStatement statement;

  NamedParameterStatement(SqlStatement sqlStatement, PreparedStatement statement) {
    this.sqlStatement = sqlStatement;
    this.statement = statement;
  }

  /** Sets one occurrence of a parameter. */
  @FunctionalInterface
  public interface Setter {
    void set(PreparedStatement statement, int index) throws SQLException;
  }

  /** Maps one row. */
  @FunctionalInterface
  public interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** Sets all occurrences of a parameter. */
  public NamedParameterStatement set(String parameter, Setter setter) throws SQLException {
    List<String> parameters = sqlStatement.parameters();
    boolean found = false;
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).equals(parameter)) {
        setter.set(statement, i + 1);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalArgumentException(sqlStatement.name() + " has no parameter " + parameter);
    }
    return this;
  }

  public NamedParameterStatement text(String parameter, @Nullable String value)
      throws SQLException {
    return set(parameter, (target, index) -> target.setString(index, value));
  }

  public NamedParameterStatement number(String parameter, @Nullable Long value)
      throws SQLException {
    return set(
        parameter,
        (target, index) -> {
          if (value == null) {
            target.setNull(index, Types.BIGINT);
          } else {
            target.setLong(index, value);
          }
        });
  }

  public NamedParameterStatement integer(String parameter, int value) throws SQLException {
    return set(parameter, (target, index) -> target.setInt(index, value));
  }

  public NamedParameterStatement flag(String parameter, boolean value) throws SQLException {
    return set(parameter, (target, index) -> target.setBoolean(index, value));
  }

  /** Makes the driver cancel the statement after this long. */
  public NamedParameterStatement timeout(Duration limit) throws SQLException {
    statement.setQueryTimeout((int) limit.toSeconds());
    return this;
  }

  /** Runs the query. The result set is closed together with this statement. */
  public ResultSet query() throws SQLException {
    return statement.executeQuery();
  }

  /** Runs the query and maps all rows. */
  public <T> List<T> list(RowMapper<T> mapper) throws SQLException {
    ResultSet rows = query();
    List<T> found = new ArrayList<>();
    while (rows.next()) {
      found.add(mapper.map(rows));
    }
    return found;
  }

  /** Runs the statement and returns the number of changed rows. */
  public int update() throws SQLException {
    return statement.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
