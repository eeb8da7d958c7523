// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FailureMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads lists of matchers. */
final class MatcherListReader {

  private static final int MAX_MATCHERS = 100;
  private static final Pattern CLASS_NAME =
      Pattern.compile("([A-Za-z_$][\\w$]{0,99}\\.){0,20}[A-Z][\\w$]{0,99}");

  private MatcherListReader() {}

  /** Reads an array of matchers; returns null if any of them is invalid. */
  static @Nullable List<FailureMatcher> read(JsonValueReader list) {
    return read(list, false);
  }

  /**
   * Reads an array of matchers; a class name such as {@code java.io.IOException} means {@code
   * exception:java.io.IOException}.
   */
  static @Nullable List<FailureMatcher> readWithClassNames(JsonValueReader list) {
    return read(list, true);
  }

  private static @Nullable List<FailureMatcher> read(JsonValueReader list, boolean classNames) {
    List<JsonValueReader> items = list.array(MAX_MATCHERS);
    if (items == null) {
      return null;
    }
    List<FailureMatcher> matchers = new ArrayList<>();
    for (JsonValueReader item : items) {
      FailureMatcher matcher = one(item, classNames);
      if (matcher != null) {
        matchers.add(matcher);
      }
    }
    return matchers.size() == items.size() ? matchers : null;
  }

  private static @Nullable FailureMatcher one(JsonValueReader item, boolean classNames) {
    if (item.json().isNumber()) {
      item.addError("must be a string: write \"%s\"".formatted(item.describe()));
      return null;
    }
    String text = item.text();
    if (text == null) {
      return null;
    }
    try {
      boolean bare = classNames && isClassName(text);
      return FailureMatcher.parse(bare ? "exception:" + text : text);
    } catch (IllegalArgumentException e) {
      item.addError(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /**
   * A kind with a capital letter is a typo, not a class name. Only {@code Exception} is also a
   * class.
   */
  private static boolean isClassName(String text) {
    return CLASS_NAME.matcher(text).matches()
        && (text.equals("Exception") || FailureKind.of(text.toLowerCase(Locale.ROOT)).isEmpty());
  }
}
