// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the writer of a policy calls what the canonical form calls otherwise: {@code backoff.initial}
 * may be his {@code initial_delay_secs}.
 */
final class PathTranslator {

  private static final Pattern MAX_DELAY = Pattern.compile("\\bmax_delay\\b");

  private final Map<String, String> namesByPath = new HashMap<>();
  private final Map<String, String> remarks = new HashMap<>();

  /** From now on this path, and whatever lies under it, is shown under another name. */
  void map(String canonical, String as) {
    namesByPath.put(canonical, as);
  }

  /** From now on this is added to what is said about a field. */
  void addRemark(String field, String remark) {
    remarks.put(field, remark);
  }

  /** A problem of the canonical form, in the words of the writer. */
  FieldError translate(FieldError fieldError) {
    String maxDelay = Matcher.quoteReplacement(namesByPath.getOrDefault("max_delay", "max_delay"));
    String message = MAX_DELAY.matcher(fieldError.message()).replaceAll(maxDelay);
    String remark = remarks.getOrDefault(fieldOf(fieldError.path()), "");
    return new FieldError(translate(fieldError.path()), message + remark);
  }

  private String translate(String path) {
    for (int end = path.length(); end > 0; end = parentEnd(path, end)) {
      String name = namesByPath.get(path.substring(0, end));
      if (name != null) {
        return new FieldError(path.substring(end).replaceFirst("^\\.", ""), "").under(name).path();
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
