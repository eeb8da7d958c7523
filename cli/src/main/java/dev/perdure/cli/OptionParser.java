// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.NumberFormatting;
import dev.perdure.client.KindLimitInfo.StartRate;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.FailureJson;
import dev.perdure.policy.json.WrittenPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of options. It collects errors and goes on with a default, so that one call
 * reports every invalid option; {@link #throwIfInvalid} then throws. A text is null when the option
 * is absent.
 */
final class OptionParser {

  private static final int MAX_NUMBER_LENGTH = 30;
  private static final int MAX_FAILURES = 1_000;
  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  private final List<FieldError> errors = new ArrayList<>();

  /**
   * Ends the command if any value is invalid.
   *
   * @throws UsageException with all errors
   */
  void throwIfInvalid() {
    if (!errors.isEmpty()) {
      throw new UsageException(errors);
    }
  }

  RetryPolicy policy(CliContext context, @Nullable String text) {
    WrittenPolicy written = writtenPolicy(context, text);
    return written == null ? RetryPolicy.none() : written.policy();
  }

  /** The policy and its form; null if it is invalid. */
  @Nullable WrittenPolicy writtenPolicy(CliContext context, @Nullable String text) {
    try {
      return PolicyArgument.read(context, text == null ? "" : text);
    } catch (InvalidPolicyException e) {
      e.errors().forEach(this::addPolicyProblem);
    } catch (UsageException e) {
      e.problems().forEach(this::addPolicyProblem);
    }
    return null;
  }

  private void addPolicyProblem(FieldError error) {
    errors.add(error.path().isEmpty() ? error.under("POLICY") : error);
  }

  List<Failure> failures(List<String> texts) {
    if (texts.size() > MAX_FAILURES) {
      errors.add(
          new FieldError(
              "--failure",
              "may be given at most %s times".formatted(NumberFormatting.count(MAX_FAILURES))));
      return List.of();
    }
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      try {
        failures.add(failure(texts.get(i)));
      } catch (InvalidPolicyException e) {
        String path = texts.size() == 1 ? "--failure" : "--failure[" + i + "]";
        e.errors().forEach(error -> errors.add(error.under(path)));
      }
    }
    return failures;
  }

  /** A failure as JSON, an HTTP status, or a kind of failure. */
  private static Failure failure(String text) {
    FailureKind kind = FailureKind.of(text).orElse(null);
    return kind == null ? FailureJson.read(text) : Failure.of(kind);
  }

  PlotTarget plot(@Nullable String text) {
    return value("--plot", text, PlotTarget.NONE, PlotTarget::of);
  }

  /** A duration longer than 0. */
  Duration duration(String option, @Nullable String text, Duration fallback) {
    return value(
        option,
        text,
        fallback,
        given -> {
          Duration duration = DurationText.parse(given);
          require(duration.isPositive(), "must be longer than 0, not " + given);
          require(duration.compareTo(MAX_DURATION) <= 0, "must be at most 36500d, not " + given);
          return duration;
        });
  }

  int count(String option, @Nullable String text, int fallback, int min, int max) {
    return value(
        option,
        text,
        fallback,
        given -> {
          BigDecimal number = number(given);
          require(
              number.stripTrailingZeros().scale() <= 0
                  && number.compareTo(BigDecimal.valueOf(min)) >= 0
                  && number.compareTo(BigDecimal.valueOf(max)) <= 0,
              "must be a whole number between %s and %s, not %s"
                  .formatted(NumberFormatting.count(min), NumberFormatting.count(max), given));
          return number.intValueExact();
        });
  }

  /** A number of starts in a period, such as {@code 5/1s}; null if it is absent or invalid. */
  @Nullable StartRate rate(String option, @Nullable String text, int max) {
    if (text == null) {
      return null;
    }
    int slash = text.indexOf('/');
    if (slash < 0) {
      addError(
          option,
          "must be a number of starts and a time, such as 5/1s, not '%s'"
              .formatted(FieldError.sanitize(text)));
      return null;
    }
    int starts = count(option, text.substring(0, slash), 1, 1, max);
    return new StartRate(starts, duration(option, text.substring(slash + 1), Duration.ZERO), 1);
  }

  /** Adds an error that concerns several options. */
  void addError(String option, String message) {
    errors.add(new FieldError(option, message));
  }

  double atLeast(String option, @Nullable String text, double fallback, int min) {
    return value(
        option,
        text,
        fallback,
        given -> {
          BigDecimal number = number(given);
          require(
              number.compareTo(BigDecimal.valueOf(min)) >= 0,
              "must be at least %d, not %s".formatted(min, given));
          return number.doubleValue();
        });
  }

  long wholeNumber(String option, @Nullable String text, long fallback) {
    return value(
        option,
        text,
        fallback,
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
  double share(String option, @Nullable String text, double fallback, int max) {
    return value(
        option,
        text,
        fallback,
        given -> {
          BigDecimal share = share(given);
          require(
              share.signum() >= 0 && share.compareTo(BigDecimal.valueOf(max)) <= 0,
              "must be between 0 and %d, such as 0.2 or 20%%, not %s".formatted(max, given));
          return share.doubleValue();
        });
  }

  /** A share between 0 and 1, both excluded. */
  double properShare(String option, @Nullable String text, double fallback) {
    return value(
        option,
        text,
        fallback,
        given -> {
          BigDecimal share = share(given);
          require(
              share.signum() > 0 && share.compareTo(BigDecimal.ONE) < 0,
              "must be greater than 0 and less than 1, such as 0.6 or 60%%, not %s"
                  .formatted(given));
          return share.doubleValue();
        });
  }

  private static BigDecimal share(String given) {
    boolean percent = given.endsWith("%");
    BigDecimal number = number(percent ? given.substring(0, given.length() - 1) : given);
    return percent ? number.movePointLeft(2) : number;
  }

  private <T> T value(String option, @Nullable String text, T fallback, Function<String, T> parse) {
    if (text == null) {
      return fallback;
    }
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      errors.add(new FieldError(option, String.valueOf(e.getMessage())));
      return fallback;
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
