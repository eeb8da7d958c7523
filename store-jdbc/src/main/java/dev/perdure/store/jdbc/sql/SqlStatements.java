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
 * The statements of one dialect: a {@link SqlFile} per table. A name whose body is only a comment
 * has no statement of its own here; the comment says which one does its work. Immutable, safe to
 * share.
 */
public final class SqlStatements {

  /** The files of a dialect. */
  public static final List<String> FILES =
      List.of(
          "batch",
          "submission_key",
          "task",
          "claim",
          "task_state",
          "task_counters",
          "task_view",
          "task_list",
          "attempt",
          "delivery",
          "node",
          "api_key",
          "audit",
          "secret");

  private static final String RESOURCE_ROOT = "/dev/perdure/store/jdbc/";

  private final String dialect;
  private final Map<String, SqlStatement> statements;

  private SqlStatements(String dialect, Map<String, SqlStatement> statements) {
    this.dialect = dialect;
    this.statements = statements;
  }

  /** Reads the files of {@code postgres} or {@code sqlite}. */
  public static SqlStatements load(String dialect) {
    Map<String, SqlStatement> statements = new LinkedHashMap<>();
    for (String table : FILES) {
      SqlFile.statements(read(RESOURCE_ROOT + dialect + "/" + table + ".sql"))
          .forEach((name, body) -> statements.put(table + "." + name, SqlStatement.of(name, body)));
    }
    return new SqlStatements(dialect, statements);
  }

  /** The statement of a file with this name, as in {@code claim.take}. */
  public SqlStatement get(String name) {
    SqlStatement sqlStatement = statements.get(name);
    if (sqlStatement == null || sqlStatement.text().isEmpty()) {
      throw new IllegalArgumentException("no statement " + name + " for " + dialect);
    }
    return sqlStatement;
  }

  /** All names in their order, also those without a statement of their own. */
  public List<String> names() {
    return List.copyOf(statements.keySet());
  }

  /** All statements in their order; the text of some is empty. */
  public List<SqlStatement> statements() {
    return List.copyOf(statements.values());
  }

  private static String read(String path) {
    try (InputStream in = SqlStatements.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("no such file of statements: " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
