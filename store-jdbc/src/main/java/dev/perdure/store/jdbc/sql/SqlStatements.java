// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All named statements of one dialect, read from one {@link SqlFile} per table. Both dialects have
 * the same names; a name whose body is only a comment has no statement in this dialect, and the
 * comment says which statement does its work. Immutable and thread-safe.
 */
public final class SqlStatements {

  /** The names of the files of a dialect, without the extension. */
  public static final List<String> FILES =
      List.of(
          "batch",
          "submission_key",
          "task",
          "claim",
          "task_state",
          "lease",
          "dedupe",
          "task_counters",
          "task_view",
          "task_list",
          "retry_wave",
          "error",
          "attempt",
          "graph",
          "dependency",
          "propagation_event",
          "run",
          "limit",
          "limit_admin",
          "limit_definition",
          "limit_event",
          "kind_limit",
          "schedule",
          "firing",
          "delivery",
          "node",
          "rollup",
          "api_key",
          "session",
          "audit",
          "secret",
          "channel",
          "schema");

  private static final String RESOURCE_ROOT = "/dev/perdure/store/jdbc/";

  private final String dialect;
  private final Map<String, SqlStatement> statements;

  private SqlStatements(String dialect, Map<String, SqlStatement> statements) {
    this.dialect = dialect;
    this.statements = statements;
  }

  /** Loads the files of {@code postgres} or {@code sqlite}. */
  public static SqlStatements load(String dialect) {
    Map<String, SqlStatement> statements = new LinkedHashMap<>();
    for (String table : FILES) {
      SqlFile.statements(read(dialect + "/" + table + ".sql"))
          .forEach((name, body) -> statements.put(table + "." + name, SqlStatement.of(name, body)));
    }
    return new SqlStatements(dialect, statements);
  }

  /**
   * Returns the statement with this name, written as {@code file.statement}, for example {@code
   * claim.take}.
   */
  public SqlStatement get(String name) {
    SqlStatement statement = statements.get(name);
    if (statement == null || statement.text().isEmpty()) {
      throw new IllegalArgumentException("there is no statement " + name + " for " + dialect);
    }
    return statement;
  }

  /** Returns all names in file order, including those without a statement in this dialect. */
  public List<String> names() {
    return List.copyOf(statements.keySet());
  }

  /** Returns all statements in file order. A name without a statement has an empty text. */
  public List<SqlStatement> statements() {
    return List.copyOf(statements.values());
  }

  static String read(String path) {
    try (InputStream in = SqlStatements.class.getResourceAsStream(RESOURCE_ROOT + path)) {
      if (in == null) {
        throw new IllegalStateException("SQL file not found: " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
