// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the writer of a policy calls what the canonical form calls otherwise: {@code backoff.initial}
 * may be his {@code initial_delay_secs}.
 */
final class Paths {

  private static final Pattern MAX_DELAY = Pattern.compile("\\bmax_delay\\b");

  private final Map<String, String> shown = new HashMap<>();
  private final Map<String, String> remarks = new HashMap<>();

  /** From now on this path, and whatever lies under it, is shown under another name. */
  void show(String canonical, String as) {
    shown.put(canonical, as);
  }

  /** From now on this is added to what is said about a field. */
  void remark(String field, String remark) {
    remarks.put(field, remark);
  }

  /** A problem of the canonical form, in the words of the writer. */
  Problem translated(Problem problem) {
    String maxDelay = Matcher.quoteReplacement(shown.getOrDefault("max_delay", "max_delay"));
    String message = MAX_DELAY.matcher(problem.message()).replaceAll(maxDelay);
    String remark = remarks.getOrDefault(fieldOf(problem.path()), "");
    return new Problem(translated(problem.path()), message + remark);
  }

  private String translated(String path) {
    for (int end = path.length(); end > 0; end = parentEnd(path, end)) {
      String name = shown.get(path.substring(0, end));
      if (name != null) {
        return new Problem(path.substring(end).replaceFirst("^\\.", ""), "").under(name).path();
      }
    }
    return path;
  }

  private static int parentEnd(String path, int end) {
    return Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1));
  }

  private static String fieldOf(String path) {
    return path.split("[.\\[]", 2)[0];
  }
}
