// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A pattern that matches failures. Its text form is {@code 429}, {@code 500-503}, {@code 5xx},
 * {@code code:no_slots}, {@code exception:java.io.IOException}, a kind such as {@code timeout}, or
 * {@code *}.
 *
 * <p>The most specific match wins, regardless of the order in a list:
 *
 * <table>
 *   <caption>From the most specific to the least specific</caption>
 *   <tr><td>exact</td><td>a status, a code, the exception's own class</td></tr>
 *   <tr><td>supertype</td><td>a supertype of the exception; nearer ones are more specific</td></tr>
 *   <tr><td>range</td><td>{@code 500-503}, both ends included</td></tr>
 *   <tr><td>class</td><td>{@code 5xx}</td></tr>
 *   <tr><td>kind</td><td>{@code timeout}</td></tr>
 *   <tr><td>any</td><td>{@code *}</td></tr>
 * </table>
 */
public sealed interface FailureMatcher {

  /**
   * Returns how specifically this matches the failure: 0 for no match, higher for narrower matches.
   */
  int specificity(Failure failure);

  /** Returns the text form used in JSON. */
  String text();

  /** Returns true if this matches the failure. */
  default boolean matches(Failure failure) {
    return specificity(failure) > Specificity.NONE;
  }

  /** Parses the text form of a matcher. */
  static FailureMatcher parse(String text) {
    return MatcherText.parse(text);
  }

  /** Returns the highest specificity of these matchers for the failure, or 0 if none matches. */
  static int best(List<FailureMatcher> matchers, Failure failure) {
    int best = Specificity.NONE;
    for (int i = 0; i < matchers.size(); i++) {
      best = Math.max(best, matchers.get(i).specificity(failure));
    }
    return best;
  }

  /** Matches one HTTP status. */
  static FailureMatcher status(int status) {
    return new Status(status);
  }

  /** Matches HTTP statuses from {@code first} to {@code last}, inclusive. */
  static FailureMatcher statuses(int first, int last) {
    return new StatusRange(first, last);
  }

  /** Matches every 4xx status. */
  static FailureMatcher clientErrors() {
    return new StatusClass(4);
  }

  /** Matches every 5xx status. */
  static FailureMatcher serverErrors() {
    return new StatusClass(5);
  }

  /** Matches an application-specific failure code. */
  static FailureMatcher code(String code) {
    return new Code(code);
  }

  /** Matches this exception and all its subtypes. */
  static FailureMatcher exception(Class<?> type) {
    return new ExceptionType(type.getName());
  }

  /** Matches every failure of this kind. */
  static FailureMatcher kind(FailureKind kind) {
    return new Kind(kind);
  }

  /** Matches every timeout. */
  static FailureMatcher timeout() {
    return new Kind(FailureKind.TIMEOUT);
  }

  /** Matches every failure. */
  static FailureMatcher any() {
    return Any.INSTANCE;
  }

  /** One HTTP status: {@code 429}. */
  record Status(int status) implements FailureMatcher {
    public Status {
      MatcherText.requireStatus(status);
    }

    @Override
    public int specificity(Failure failure) {
      return failure.status() == status ? Specificity.EXACT : Specificity.NONE;
    }

    @Override
    public String text() {
      return Integer.toString(status);
    }
  }

  /** A range of statuses, both ends included: {@code 500-503}. */
  record StatusRange(int first, int last) implements FailureMatcher {
    public StatusRange {
      MatcherText.requireStatus(first);
      MatcherText.requireStatus(last);
      if (first > last) {
        throw new IllegalArgumentException(
            "the range %d-%d is reversed: write %d-%d".formatted(first, last, last, first));
      }
    }

    @Override
    public int specificity(Failure failure) {
      boolean inside = first <= failure.status() && failure.status() <= last;
      return inside ? Specificity.RANGE : Specificity.NONE;
    }

    @Override
    public String text() {
      return first + "-" + last;
    }
  }

  /** All statuses with the same first digit: {@code 5xx}. */
  record StatusClass(int hundreds) implements FailureMatcher {
    public StatusClass {
      if (hundreds < 1 || hundreds > 9) {
        throw new IllegalArgumentException(
            hundreds + "xx is not an HTTP status class (1xx to 9xx)");
      }
    }

    @Override
    public int specificity(Failure failure) {
      return failure.status() / 100 == hundreds ? Specificity.CLASS : Specificity.NONE;
    }

    @Override
    public String text() {
      return hundreds + "xx";
    }
  }

  /** An application-specific failure code: {@code code:no_slots}. */
  record Code(String code) implements FailureMatcher {
    public Code {
      MatcherText.requireName("code", code);
    }

    @Override
    public int specificity(Failure failure) {
      return code.equals(failure.code()) ? Specificity.EXACT : Specificity.NONE;
    }

    @Override
    public String text() {
      return MatcherText.CODE_PREFIX + code;
    }
  }

  /**
   * An exception type: {@code exception:java.io.IOException}. A name without a dot matches simple
   * class names.
   */
  record ExceptionType(String name) implements FailureMatcher {
    public ExceptionType {
      MatcherText.requireName("exception", name);
    }

    @Override
    public int specificity(Failure failure) {
      List<String> types = failure.exceptionTypes();
      for (int distance = 0; distance < types.size(); distance++) {
        if (names(types.get(distance))) {
          return Specificity.ofSupertype(distance);
        }
      }
      return Specificity.NONE;
    }

    private boolean names(String type) {
      if (!type.endsWith(name)) {
        return false;
      }
      int before = type.length() - name.length() - 1;
      return before < 0
          || (!name.contains(".") && (type.charAt(before) == '.' || type.charAt(before) == '$'));
    }

    @Override
    public String text() {
      return MatcherText.EXCEPTION_PREFIX + name;
    }
  }

  /** Every failure of a kind: {@code timeout}. */
  record Kind(FailureKind kind) implements FailureMatcher {
    public Kind {
      requireNonNull(kind, "kind");
    }

    @Override
    public int specificity(Failure failure) {
      return failure.kind() == kind ? Specificity.KIND : Specificity.NONE;
    }

    @Override
    public String text() {
      return kind.text();
    }
  }

  /** Every failure: {@code *}. */
  enum Any implements FailureMatcher {
    INSTANCE;

    @Override
    public int specificity(Failure failure) {
      return Specificity.ANY;
    }

    @Override
    public String text() {
      return "*";
    }
  }
}
