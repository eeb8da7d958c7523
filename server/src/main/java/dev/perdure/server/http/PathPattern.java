// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A path pattern; segments in braces are variables that match any text. A last segment such as
 * <code>{path...}</code> matches the rest of the path.
 */
record PathPattern(List<String> segments) implements Comparable<PathPattern> {

  static PathPattern of(String text) {
    return new PathPattern(segmentsOf(text));
  }

  /** Splits a path. A trailing slash makes a different path. */
  static List<String> segmentsOf(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  /** The variables of the path by name; empty if the path does not match. */
  Optional<Map<String, String>> match(List<String> path) {
    boolean open = isRest(segments.getLast());
    int fixed = open ? segments.size() - 1 : segments.size();
    if (open ? path.size() <= fixed : path.size() != fixed) {
      return Optional.empty();
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < fixed; i++) {
      String segment = segments.get(i);
      if (isVariable(segment) && !path.get(i).isEmpty()) {
        variables.put(segment.substring(1, segment.length() - 1), decode(path.get(i)));
      } else if (!segment.equals(path.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(variables);
  }

  /** The listener leaves characters encoded that have a meaning in a path, also {@code %}. */
  private static String decode(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return segment;
    }
  }

  /** Sorts more specific patterns first: {@code /task/claim} before {@code /task/{id}}. */
  @Override
  public int compareTo(PathPattern other) {
    return shape().compareTo(other.shape());
  }

  /** Equal for patterns that match the same paths; variables sort after every letter. */
  String shape() {
    StringBuilder shape = new StringBuilder();
    segments.forEach(segment -> shape.append('/').append(shape(segment)));
    return shape.toString();
  }

  private static String shape(String segment) {
    if (isRest(segment)) {
      return "\uFFFF\uFFFF";
    }
    return isVariable(segment) ? "\uFFFF" : segment;
  }

  /** The handler reads the rest of the path from the request. */
  private static boolean isRest(String segment) {
    return segment.endsWith("...}");
  }

  private static boolean isVariable(String segment) {
    return segment.startsWith("{");
  }
}
