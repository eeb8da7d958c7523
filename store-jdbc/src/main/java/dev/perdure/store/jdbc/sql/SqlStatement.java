// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One SQL statement with named parameters.
 *
 * @param name its name within the file
 * @param text the SQL with a question mark for each parameter; empty if this dialect has no
 *     statement of this name
 * @param parameters the parameter name of each question mark, in order; a name can occur more than
 *     once
 */
public record SqlStatement(String name, String text, List<String> parameters) {

  // Skips comments, quoted text and casts. Any other colon starts a parameter name.
  private static final Pattern TOKEN =
      Pattern.compile("--[^\\n]*|'[^']*'|::|:(?<name>[a-z][a-z0-9_]*)");

  public SqlStatement {
    parameters = List.copyOf(parameters);
  }

  static SqlStatement of(String name, String body) {
    List<String> parameters = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    Matcher tokens = TOKEN.matcher(body);
    while (tokens.find()) {
      String parameter = tokens.group("name");
      tokens.appendReplacement(text, "");
      if (parameter != null) {
        parameters.add(parameter);
        text.append('?');
      } else if (!tokens.group().startsWith("--")) {
        text.append(tokens.group());
      }
    }
    tokens.appendTail(text);
    String stripped = text.toString().strip();
    return new SqlStatement(
        name,
        stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : stripped,
        parameters);
  }

  /** Prepares the statement. The caller closes it. */
  public NamedParameterStatement prepare(Connection connection) throws SQLException {
    return new NamedParameterStatement(this, connection.prepareStatement(text));
  }
}
