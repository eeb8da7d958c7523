// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A pattern for failures, with a text form: {@code 429}, {@code 500-503}, {@code 5xx}, {@code
 * code:no_slots}, {@code exception:java.io.IOException}, a kind such as {@code timeout}, or {@code
 * *}.
 *
 * <p>The more specific pattern wins, wherever it stands in its list:
 *
 * <table>
 *   <caption>From the most specific to the least</caption>
 *   <tr><td>exact</td><td>a status, a code, the exception's own class</td></tr>
 *   <tr><td>near</td><td>a supertype of the exception, the nearer the better</td></tr>
 *   <tr><td>range</td><td>{@code 500-503}, both ends included</td></tr>
 *   <tr><td>class</td><td>{@code 5xx}</td></tr>
 *   <tr><td>kind</td><td>{@code timeout}</td></tr>
 *   <tr><td>any</td><td>{@code *}</td></tr>
 * </table>
 */
public sealed interface FailureMatcher {

  /** How specifically this matches the failure: 0 when it does not, more for what is narrower. */
  int specificity(Failure failure);

  /** The text form, as it stands in JSON. */
  String text();

  /** True when this matches the failure at all. */
  default boolean matches(Failure failure) {
    return specificity(failure) > Specificity.NONE;
  }

  /** The matcher of this text form. */
  static FailureMatcher parse(String text) {
    return MatcherText.parse(text);
  }

  /**
   * The highest specificity that any of these matchers has for the failure; 0 when none matches.
   */
  static int best(List<FailureMatcher> matchers, Failure failure) {
    int best = Specificity.NONE;
    for (int i = 0; i < matchers.size(); i++) {
      best = Math.max(best, matchers.get(i).specificity(failure));
    }
    return best;
  }

  /** Exactly this HTTP status. */
  static FailureMatcher status(int status) {
    return new Status(status);
  }

  /** Every HTTP status from one to the other, both included. */
  static FailureMatcher statuses(int first, int last) {
    return new StatusRange(first, last);
  }

  /** Every 4xx. */
  static FailureMatcher clientErrors() {
    return new StatusClass(4);
  }

  /** Every 5xx. */
  static FailureMatcher serverErrors() {
    return new StatusClass(5);
  }

  /** A code of the application's own. */
  static FailureMatcher code(String code) {
    return new Code(code);
  }

  /** This exception and everything that extends or implements it. */
  static FailureMatcher exception(Class<?> type) {
    return new ExceptionType(type.getName());
  }

  /** Every failure of this kind. */
  static FailureMatcher kind(FailureKind kind) {
    return new Kind(kind);
  }

  /** Every timeout. */
  static FailureMatcher timeout() {
    return new Kind(FailureKind.TIMEOUT);
  }

  /** Every failure. */
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

  /** Statuses between two, both included: {@code 500-503}. */
  record StatusRange(int first, int last) implements FailureMatcher {
    public StatusRange {
      MatcherText.requireStatus(first);
      MatcherText.requireStatus(last);
      if (first > last) {
        throw new IllegalArgumentException(
            "the range %d-%d is upside down: write %d-%d".formatted(first, last, last, first));
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

  /** Statuses of one hundred: {@code 5xx}. */
  record StatusClass(int hundreds) implements FailureMatcher {
    public StatusClass {
      if (hundreds < 1 || hundreds > 9) {
        throw new IllegalArgumentException(hundreds + "xx is not a class of HTTP statuses");
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

  /** A code of the application's own: {@code code:no_slots}. */
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
   * An exception type: {@code exception:java.io.IOException}. A name without a dot is compared with
   * the simple names.
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
