// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Migrates the tables to the current version: runs the scripts that the table perdure_schema does
 * not list yet, all in one transaction. A process that starts while another one migrates waits for
 * it. If there is nothing to do, it only reads, so the user may lack the right to create tables.
 */
public final class Migrations {

  /** The scripts of each dialect; the version of a script is its position, from 1. */
  static final List<String> NAMES =
      List.of(
          "V1__tasks",
          "V2__access",
          "V3__deliveries",
          "V4__dependencies",
          "V5__limits",
          "V6__schedules",
          "V7__channels",
          "V8__sessions",
          "V9__rollups",
          "V10__errors");

  private final Connection connection;
  private final SqlStatements statements;
  private final List<Script> scripts = new ArrayList<>();

  private record Script(String name, String sql) {

    long checksum() {
      CRC32C checksum = new CRC32C();
      // Line ends can depend on the machine that built the jar.
      checksum.update(sql.replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8));
      return checksum.getValue();
    }
  }

  private Migrations(Connection connection, String dialect) {
    this.connection = connection;
    this.statements = SqlStatements.load(dialect);
    for (String name : NAMES) {
      scripts.add(
          new Script(name, SqlStatements.read("migration-" + dialect + "/" + name + ".sql")));
    }
  }

  /**
   * Migrates the tables, and returns the number of scripts that were run.
   *
   * @param connection in auto-commit mode
   * @param begin the statements that begin a transaction which locks out other migrations
   * @throws StoreException with {@link ErrorKind#REFUSED} when another version of the scripts
   *     created the tables
   */
  public static int run(Connection connection, String dialect, List<String> begin)
      throws SQLException {
    Migrations migrations = new Migrations(connection, dialect);
    return migrations.applied() == NAMES.size() ? 0 : migrations.runLocked(begin);
  }

  private int runLocked(List<String> begin) throws SQLException {
    try {
      for (String name : begin) {
        execute(statements.get(name).text());
      }
      int first = applied();
      if (first == 0) {
        execute(statements.get("schema.create").text());
      }
      for (int i = first; i < scripts.size(); i++) {
        runScript(scripts.get(i));
        add(i + 1, scripts.get(i));
      }
      execute("COMMIT");
      return scripts.size() - first;
    } catch (SQLException | RuntimeException failure) {
      rollBack(failure);
      throw failure;
    }
  }

  /**
   * Returns how many of the scripts have been run. Later scripts, of a newer version, are allowed:
   * the tables still work with this version.
   *
   * @throws StoreException if other scripts have been run instead
   */
  private int applied() throws SQLException {
    if (!historyExists()) {
      return 0;
    }
    int count = 0;
    try (NamedParameterStatement list = statements.get("schema.list").prepare(connection)) {
      for (ResultSet row = list.query(); row.next(); count++) {
        if (!isExpected(count, row)) {
          throw new StoreException(
              "the tables were created by another version of Perdure; open them with that version,"
                  + " or use a new database",
              null,
              ErrorKind.REFUSED);
        }
      }
    }
    return Math.min(count, scripts.size());
  }

  /** Compares texts, because the columns may be those of another version. */
  private boolean isExpected(int index, ResultSet row) throws SQLException {
    boolean later = index >= scripts.size();
    return String.valueOf(index + 1).equals(row.getString("version"))
        && (later
            || String.valueOf(scripts.get(index).checksum()).equals(row.getString("checksum")));
  }

  private boolean historyExists() throws SQLException {
    try (NamedParameterStatement exists = statements.get("schema.exists").prepare(connection)) {
      ResultSet row = exists.query();
      return row.next() && row.getBoolean("found");
    }
  }

  private void add(long version, Script script) throws SQLException {
    try (NamedParameterStatement add = statements.get("schema.add").prepare(connection)) {
      add.number("version", version)
          .text("name", script.name())
          .number("checksum", script.checksum())
          .update();
    }
  }

  private void runScript(Script script) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      // SQLite's driver runs several statements here, but only the first one in execute().
      statement.executeUpdate(script.sql());
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void rollBack(Exception failure) {
    try {
      execute("ROLLBACK");
    } catch (SQLException alsoBroken) {
      failure.addSuppressed(alsoBroken);
    }
  }
}
