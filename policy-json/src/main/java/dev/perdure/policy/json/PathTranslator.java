// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FieldError;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates paths of the canonical form to those of the dialect that the policy is written in. For
 * example, {@code backoff.initial} may be {@code initial_delay_secs}.
 */
final class PathTranslator {

  private static final Pattern FIELD = Pattern.compile("\\b(max_delay|never_on|expires_at)\\b");

  private final Map<String, String> namesByPath = new HashMap<>();
  private final Map<String, String> remarks = new HashMap<>();

  /** Maps a canonical path, and everything below it, to another path. */
  void map(String canonical, String path) {
    namesByPath.put(canonical, path);
  }

  /** Adds a remark to all errors of a field. */
  void addRemark(String field, String remark) {
    remarks.put(field, remark);
  }

  /** Returns the error with the paths and field names of the dialect. */
  FieldError translate(FieldError error) {
    String remark = remarks.getOrDefault(fieldOf(error.path()), "");
    return new FieldError(translate(error.path()), translateText(error.message()) + remark);
  }

  /** Returns the text with the field names of the dialect. */
  String translateText(String text) {
    return FIELD.matcher(text).replaceAll(hit -> Matcher.quoteReplacement(nameOf(hit.group())));
  }

  /** Returns the dialect's name of a canonical field; the same if it has no other name. */
  String nameOf(String field) {
    return namesByPath.getOrDefault(field, field);
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
