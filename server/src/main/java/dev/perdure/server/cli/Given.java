// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.Problem;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.FailureJson;
import dev.perdure.server.cli.text.Numbers;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was given on the command line, turned from text into values. A wrong value is noted and
 * replaced by a right one, so that one call tells everything that is wrong; {@link #requireRight}
 * then ends it. A text is null when the option was not given.
 */
final class Given {

  private static final int LONGEST_NUMBER = 30;
  private static final int MOST_FAILURES = 1_000;
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final List<Problem> problems = new ArrayList<>();

  /**
   * Goes on only when every value was right.
   *
   * @throws WrongUseException with everything that is wrong
   */
  void requireRight() {
    if (!problems.isEmpty()) {
      throw new WrongUseException(problems);
    }
  }

  RetryPolicy policy(Shell shell, @Nullable String text) {
    try {
      return PolicyArgument.read(shell, text == null ? "" : text);
    } catch (InvalidPolicyException e) {
      e.problems().forEach(this::addOfPolicy);
    } catch (WrongUseException e) {
      e.problems().forEach(this::addOfPolicy);
    }
    return RetryPolicy.none();
  }

  private void addOfPolicy(Problem problem) {
    problems.add(problem.path().isEmpty() ? problem.under("POLICY") : problem);
  }

  List<Failure> failures(List<String> texts) {
    if (texts.size() > MOST_FAILURES) {
      problems.add(
          new Problem("--failure", "at most " + Numbers.count(MOST_FAILURES) + " are allowed"));
      return List.of();
    }
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      try {
        failures.add(FailureJson.read(texts.get(i)));
      } catch (InvalidPolicyException e) {
        String path = texts.size() == 1 ? "--failure" : "--failure[" + i + "]";
        e.problems().forEach(problem -> problems.add(problem.under(path)));
      }
    }
    return failures;
  }

  PlotTarget plot(@Nullable String text) {
    return value("--plot", text, PlotTarget.NONE, PlotTarget::of);
  }

  /** A length of time, more than 0. */
  Duration duration(String option, @Nullable String text, Duration otherwise) {
    return value(
        option,
        text,
        otherwise,
        given -> {
          Duration duration = DurationText.parse(given);
          require(duration.isPositive(), "must be more than 0, not " + given);
          require(duration.compareTo(LONGEST) <= 0, "must be at most 36500d, not " + given);
          return duration;
        });
  }

  int count(String option, @Nullable String text, int otherwise, int least, int most) {
    return value(
        option,
        text,
        otherwise,
        given -> {
          BigDecimal number = number(given);
          require(
              number.stripTrailingZeros().scale() <= 0
                  && number.compareTo(BigDecimal.valueOf(least)) >= 0
                  && number.compareTo(BigDecimal.valueOf(most)) <= 0,
              "must be a whole number from %s to %s, not %s"
                  .formatted(Numbers.count(least), Numbers.count(most), given));
          return number.intValueExact();
        });
  }

  double atLeast(String option, @Nullable String text, double otherwise, int least) {
    return value(
        option,
        text,
        otherwise,
        given -> {
          BigDecimal number = number(given);
          require(
              number.compareTo(BigDecimal.valueOf(least)) >= 0,
              "must be at least %d, not %s".formatted(least, given));
          return number.doubleValue();
        });
  }

  long wholeNumber(String option, @Nullable String text, long otherwise) {
    return value(
        option,
        text,
        otherwise,
        given -> {
          try {
            return Long.parseLong(given);
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                "must be a whole number, not '%s'".formatted(Problem.quotable(given)), e);
          }
        });
  }

  /** A share such as {@code 0.6} or {@code 60%}. */
  double share(String option, @Nullable String text, double otherwise, int most) {
    return value(
        option,
        text,
        otherwise,
        given -> {
          BigDecimal share = share(given);
          require(
              share.signum() >= 0 && share.compareTo(BigDecimal.valueOf(most)) <= 0,
              "must be a share from 0 to %d, such as 0.2 or 20%%, not %s".formatted(most, given));
          return share.doubleValue();
        });
  }

  /** A share that is neither nothing nor all. */
  double part(String option, @Nullable String text, double otherwise) {
    return value(
        option,
        text,
        otherwise,
        given -> {
          BigDecimal share = share(given);
          require(
              share.signum() > 0 && share.compareTo(BigDecimal.ONE) < 0,
              "must be more than 0 and less than 1, such as 0.6 or 60%%, not %s".formatted(given));
          return share.doubleValue();
        });
  }

  private static BigDecimal share(String given) {
    boolean percent = given.endsWith("%");
    BigDecimal number = number(percent ? given.substring(0, given.length() - 1) : given);
    return percent ? number.movePointLeft(2) : number;
  }

  private <T> T value(
      String option, @Nullable String text, T otherwise, Function<String, T> reading) {
    if (text == null) {
      return otherwise;
    }
    try {
      return reading.apply(text);
    } catch (IllegalArgumentException e) {
      problems.add(new Problem(option, String.valueOf(e.getMessage())));
      return otherwise;
    }
  }

  private static BigDecimal number(String text) {
    if (text.length() > LONGEST_NUMBER || !text.strip().matches("-?\\d*[.]?\\d+")) {
      throw new IllegalArgumentException("'%s' is not a number".formatted(Problem.quotable(text)));
    }
    return new BigDecimal(text.strip());
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
