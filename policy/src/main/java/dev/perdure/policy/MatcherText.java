// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the text form of matchers. */
final class MatcherText {

  static final String CODE_PREFIX = "code:";
  static final String EXCEPTION_PREFIX = "exception:";

  private static final int MAX_NAME_LENGTH = 255;
  private static final Pattern STATUS = Pattern.compile("\\d{3}");
  private static final Pattern RANGE = Pattern.compile("(\\d{3})-(\\d{3})");
  private static final Pattern CLASS = Pattern.compile("([1-9])[xX]{2}");

  private static final List<String> KNOWN =
      Stream.concat(
              Stream.of(FailureKind.values()).map(FailureKind::text),
              Stream.of("4xx", "5xx", CODE_PREFIX, EXCEPTION_PREFIX))
          .toList();

  private MatcherText() {}

  static FailureMatcher parse(String text) {
    if (text.equals("*")) {
      return FailureMatcher.any();
    }
    if (text.startsWith(CODE_PREFIX)) {
      return new FailureMatcher.Code(text.substring(CODE_PREFIX.length()));
    }
    if (text.startsWith(EXCEPTION_PREFIX)) {
      return new FailureMatcher.ExceptionType(text.substring(EXCEPTION_PREFIX.length()));
    }
    if (STATUS.matcher(text).matches()) {
      return new FailureMatcher.Status(Integer.parseInt(text));
    }
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      return new FailureMatcher.StatusRange(
          Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
    }
    if (CLASS.matcher(text).matches()) {
      return new FailureMatcher.StatusClass(text.charAt(0) - '0');
    }
    return FailureKind.of(text)
        .map(FailureMatcher::kind)
        .orElseThrow(() -> new IllegalArgumentException(unknown(text)));
  }

  private static String unknown(String text) {
    return "unknown matcher '%s'%s (a status 429, a range 500-503, a class 5xx, code:…, exception:…, a kind such as timeout, or *)"
        .formatted(FieldError.sanitize(text), NameSuggestion.hint(text, KNOWN));
  }

  static void requireStatus(int status) {
    if (status < 100 || status > 999) {
      throw new IllegalArgumentException(status + " is not an HTTP status (100..999)");
    }
  }

  static void requireName(String what, String name) {
    boolean plain = name.codePoints().allMatch(MatcherText::isPlain);
    if (!plain || name.isBlank() || name.length() > MAX_NAME_LENGTH || !name.equals(name.strip())) {
      throw new IllegalArgumentException(
          "'%s:%s' needs a name of 1 to %d characters after the colon, without spaces around it or control characters"
              .formatted(what, FieldError.sanitize(name), MAX_NAME_LENGTH));
    }
  }

  /** Not every database can store control characters and unpaired surrogates. */
  private static boolean isPlain(int codePoint) {
    return !Character.isISOControl(codePoint)
        && Character.getType(codePoint) != Character.SURROGATE;
  }
}
