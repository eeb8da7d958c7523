// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sql;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parser for one SQL file. A statement begins with {@code -- name: claim}. A part begins with
 * {@code -- part: filter} and replaces every line {@code -- insert: filter} in the statements and
 * parts of the file. There are no conditions: each name has exactly one text.
 */
final class SqlFile {

  private static final Pattern HEADER = Pattern.compile("(?m)^-- (name|part): (\\w+)\\R");
  private static final Pattern INSERT = Pattern.compile("(?m)^ *-- insert: (\\w+)$");

  private SqlFile() {}

  /** Returns the statements by name, in file order, with all parts inserted. */
  static Map<String, String> statements(String file) {
    Map<String, String> statements = new LinkedHashMap<>();
    Map<String, String> parts = new HashMap<>();
    List<MatchResult> headers = HEADER.matcher(file).results().toList();
    for (int i = 0; i < headers.size(); i++) {
      MatchResult header = headers.get(i);
      int end = i + 1 < headers.size() ? headers.get(i + 1).start() : file.length();
      Map<String, String> texts = header.group(1).equals("name") ? statements : parts;
      if (texts.put(header.group(2), file.substring(header.end(), end)) != null) {
        throw new IllegalStateException("duplicate name: " + header.group(2));
      }
    }
    insert(parts, statements);
    return statements;
  }

  private static void insert(Map<String, String> parts, Map<String, String> statements) {
    Set<String> unused = new TreeSet<>(parts.keySet());
    statements.replaceAll((name, text) -> inserted(name, text, parts, unused));
    if (!unused.isEmpty()) {
      throw new IllegalStateException("no statement inserts the parts " + unused);
    }
  }

  private static String inserted(
      String name, String text, Map<String, String> parts, Set<String> unused) {
    return INSERT
        .matcher(text)
        .replaceAll(
            insert -> {
              String part = parts.get(insert.group(1));
              if (part == null) {
                throw new IllegalStateException(
                    name + " inserts an unknown part: " + insert.group(1));
              }
              unused.remove(insert.group(1));
              return Matcher.quoteReplacement(
                  inserted(insert.group(1), part.stripTrailing(), parts, unused));
            });
  }
}
