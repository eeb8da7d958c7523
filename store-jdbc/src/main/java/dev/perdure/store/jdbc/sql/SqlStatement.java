// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement, ready to be prepared.
 *
 * @param name what it is called in its file
 * @param text with a question mark for each parameter; empty when it is not a statement of its own
 * @param parameters the names of the question marks, in order; a name may come again
 */
public record SqlStatement(String name, String text, List<String> parameters) {

  // A comment, a text in quotes or a cast is stepped over; what is left after a colon is a name.
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

  /** Prepares it; the caller closes it. */
  public NamedParameterStatement prepare(Connection connection) throws SQLException {
    return new NamedParameterStatement(this, connection.prepareStatement(text));
  }
}
