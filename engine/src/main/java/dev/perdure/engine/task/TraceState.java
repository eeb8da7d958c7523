// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The {@code tracestate} header: entries of tracing systems, as {@code key=value,key=value}. */
final class TraceState {

  /** Systems must pass on at least this many characters; longer values are shortened. */
  static final int MAX_CHARACTERS = 512;

  private static final int MAX_MEMBERS = 32;

  /** Entries above this length are dropped first. */
  private static final int LONG_MEMBER = 128;

  private static final String SIMPLE = "[a-z][a-z0-9_*/-]{0,255}";
  private static final String TENANT = "[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}";
  private static final String VALUE =
      "[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]";
  private static final Pattern MEMBER =
      Pattern.compile("(?:" + SIMPLE + "|" + TENANT + ")=" + VALUE);

  private TraceState() {}

  /**
   * Validates the header and shortens it if needed; empty when it is invalid or nothing is left. A
   * header that is too long loses its long entries first, then its last ones, which are the oldest.
   */
  static Optional<String> read(String text) {
    List<String> members = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String part : text.split(",", -1)) {
      String member = stripped(part);
      if (member.isEmpty()) {
        continue;
      }
      boolean valid = MEMBER.matcher(member).matches();
      if (!valid || !keys.add(member.substring(0, member.indexOf('=')))) {
        return Optional.empty();
      }
      members.add(member);
    }
    if (members.size() > MAX_MEMBERS) {
      return Optional.empty();
    }
    return Optional.of(cut(members)).filter(kept -> !kept.isEmpty());
  }

  private static String cut(List<String> members) {
    List<String> kept = new ArrayList<>(members);
    if (String.join(",", kept).length() > MAX_CHARACTERS) {
      kept.removeIf(member -> member.length() > LONG_MEMBER);
    }
    while (String.join(",", kept).length() > MAX_CHARACTERS) {
      kept.removeLast();
    }
    return String.join(",", kept);
  }

  /** Removes spaces and tabs around an entry. */
  private static String stripped(String part) {
    int from = 0;
    int to = part.length();
    while (from < to && isBlank(part.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(part.charAt(to - 1))) {
      to--;
    }
    return part.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
