// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A prepared statement whose parameters have names. Every one must be set before it runs. */
public final class NamedParameterStatement implements AutoCloseable {

  private final SqlStatement sqlStatement;
  private final PreparedStatement statement;

  NamedParameterStatement(SqlStatement sqlStatement, PreparedStatement statement) {
    this.sqlStatement = sqlStatement;
    this.statement = statement;
  }

  /** Sets one place of a parameter. */
  @FunctionalInterface
  public interface Setter {
    void set(PreparedStatement statement, int index) throws SQLException;
  }

  /** Sets the parameter wherever it stands. */
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

  /** Lets the driver cancel it after so long. */
  public NamedParameterStatement timeout(Duration length) throws SQLException {
    statement.setQueryTimeout((int) length.toSeconds());
    return this;
  }

  /** The rows; they are closed with this call. */
  public ResultSet query() throws SQLException {
    return statement.executeQuery();
  }

  /** How many rows it changed. */
  public int update() throws SQLException {
    return statement.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
