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
import org.jspecify.annotations.Nullable;

/**
 * Parser for one SQL file. A statement begins with {@code -- name: claim}. A part begins with
 * {@code -- part: filter} and replaces every line {@code -- insert: filter} in the statements and
 * parts of the file. A part {@code -- part: page(source)} has parameters: {@code -- insert:
 * page(newest)} inserts it with {@code newest} in place of <code>{source}</code>; {@code |}
 * separates several values. There are no conditions: each name has exactly one text.
 */
final class SqlFile {

  private static final Pattern HEADER =
      Pattern.compile("(?m)^-- (name|part): (\\w+)(?:\\(([\\w, ]+)\\))?\\R");
  private static final Pattern INSERT =
      Pattern.compile("(?m)^ *-- insert: (\\w+)(?:\\(([^)\\n]+)\\))?$");

  private static final Pattern COMMA = Pattern.compile(", *");
  private static final Pattern BAR = Pattern.compile(" *\\| *");

  private SqlFile() {}

  /**
   * A text to insert.
   *
   * @param parameters what stands in braces in the text
   */
  private record Part(List<String> parameters, String text) {

    static Part of(@Nullable String parameters, String text) {
      return new Part(split(COMMA, parameters), text);
    }

    String with(String name, List<String> values) {
      if (values.size() != parameters.size()) {
        throw new IllegalStateException(
            "%s has the parameters %s, not %s".formatted(name, parameters, values));
      }
      String filled = text.stripTrailing();
      for (int i = 0; i < values.size(); i++) {
        filled = filled.replace("{" + parameters.get(i) + "}", values.get(i));
      }
      return filled;
    }
  }

  private static List<String> split(Pattern separator, @Nullable String list) {
    return list == null ? List.of() : List.of(separator.split(list, -1));
  }

  /** Returns the statements by name, in file order, with all parts inserted. */
  static Map<String, String> statements(String file) {
    Map<String, String> statements = new LinkedHashMap<>();
    Map<String, Part> parts = new HashMap<>();
    List<MatchResult> headers = HEADER.matcher(file).results().toList();
    for (int i = 0; i < headers.size(); i++) {
      MatchResult header = headers.get(i);
      int end = i + 1 < headers.size() ? headers.get(i + 1).start() : file.length();
      String text = file.substring(header.end(), end);
      boolean duplicate =
          header.group(1).equals("name")
              ? statements.put(header.group(2), text) != null
              : parts.put(header.group(2), Part.of(header.group(3), text)) != null;
      if (duplicate) {
        throw new IllegalStateException("duplicate name: " + header.group(2));
      }
    }
    insert(parts, statements);
    return statements;
  }

  private static void insert(Map<String, Part> parts, Map<String, String> statements) {
    Set<String> unused = new TreeSet<>(parts.keySet());
    statements.replaceAll((name, text) -> inserted(name, text, parts, unused));
    if (!unused.isEmpty()) {
      throw new IllegalStateException("no statement inserts the parts " + unused);
    }
  }

  private static String inserted(
      String name, String text, Map<String, Part> parts, Set<String> unused) {
    return INSERT
        .matcher(text)
        .replaceAll(
            insert -> {
              Part part = parts.get(insert.group(1));
              if (part == null) {
                throw new IllegalStateException(
                    name + " inserts an unknown part: " + insert.group(1));
              }
              unused.remove(insert.group(1));
              return Matcher.quoteReplacement(
                  inserted(
                      insert.group(1),
                      part.with(insert.group(1), split(BAR, insert.group(2))),
                      parts,
                      unused));
            });
  }
}
