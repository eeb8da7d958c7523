// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.FailureJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was given on the command line, turned from text into values. A wrong value is noted and
 * replaced by a right one, so that one call tells everything that is wrong; {@link #throwIfInvalid}
 * then ends it. A text is null when the option was not given.
 */
final class OptionParser {

  private static final int MAX_NUMBER_LENGTH = 30;
  private static final int MAX_FAILURES = 1_000;
  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  private final List<FieldError> fieldErrors = new ArrayList<>();

  /**
   * Goes on only when every value was right.
   *
   * @throws UsageException with everything that is wrong
   */
  void throwIfInvalid() {
    if (!fieldErrors.isEmpty()) {
      throw new UsageException(fieldErrors);
    }
  }

  RetryPolicy policy(CliContext cliContext, @Nullable String text) {
    try {
      return PolicyArgument.read(cliContext, text == null ? "" : text);
    } catch (InvalidPolicyException e) {
      e.errors().forEach(this::addPolicyProblem);
    } catch (UsageException e) {
      e.problems().forEach(this::addPolicyProblem);
    }
    return RetryPolicy.none();
  }

  private void addPolicyProblem(FieldError fieldError) {
    fieldErrors.add(fieldError.path().isEmpty() ? fieldError.under("POLICY") : fieldError);
  }

  List<Failure> failures(List<String> texts) {
    if (texts.size() > MAX_FAILURES) {
      fieldErrors.add(
          new FieldError(
              "--failure", "at most " + NumberFormatting.count(MAX_FAILURES) + " are allowed"));
      return List.of();
    }
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      try {
        failures.add(FailureJson.read(texts.get(i)));
      } catch (InvalidPolicyException e) {
        String path = texts.size() == 1 ? "--failure" : "--failure[" + i + "]";
        e.errors().forEach(fieldError -> fieldErrors.add(fieldError.under(path)));
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
          require(duration.compareTo(MAX_DURATION) <= 0, "must be at most 36500d, not " + given);
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
                  .formatted(NumberFormatting.count(least), NumberFormatting.count(most), given));
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
                "must be a whole number, not '%s'".formatted(FieldError.sanitize(given)), e);
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
  double properShare(String option, @Nullable String text, double otherwise) {
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
      fieldErrors.add(new FieldError(option, String.valueOf(e.getMessage())));
      return otherwise;
    }
  }

  private static BigDecimal number(String text) {
    if (text.length() > MAX_NUMBER_LENGTH || !text.strip().matches("-?\\d*[.]?\\d+")) {
      throw new IllegalArgumentException(
          "'%s' is not a number".formatted(FieldError.sanitize(text)));
    }
    return new BigDecimal(text.strip());
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
