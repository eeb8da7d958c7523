// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What tracing systems pass on for themselves beside the ids: {@code key=value,key=value}. */
final class TraceState {

  /** Those who pass it on must bear so many characters; more are not kept. */
  static final int MAX_CHARACTERS = 512;

  private static final int MAX_MEMBERS = 32;

  /** Members above this length are the first to go. */
  private static final int LONG_MEMBER = 128;

  private static final String SIMPLE = "[a-z][a-z0-9_*/-]{0,255}";
  private static final String TENANT = "[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}";
  private static final String VALUE =
      "[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]";
  private static final Pattern MEMBER =
      Pattern.compile("(?:" + SIMPLE + "|" + TENANT + ")=" + VALUE);

  private TraceState() {}

  /**
   * The text as it is passed on; empty when it is not right, or nothing is left of it. What is too
   * long loses its longest members, then its last: those are the oldest.
   */
  static Optional<String> read(String text) {
    List<String> members = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String part : text.split(",", -1)) {
      String member = stripped(part);
      if (member.isEmpty()) {
        continue;
      }
      boolean right = MEMBER.matcher(member).matches();
      if (!right || !keys.add(member.substring(0, member.indexOf('=')))) {
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

  /** Spaces and tabs around a member do not belong to it. */
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
