// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses and formats durations: {@code 250ms}, {@code 90s}, {@code 5m}, {@code 2h}, {@code 7d},
 * {@code 2w}, or ISO-8601 ({@code PT5M}). A number without a unit is rejected.
 */
public final class DurationText {

  private static final int MAX_TEXT_LENGTH = 40;
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,15})(ms|s|m|h|d|w)");
  private static final String FORMS =
      "write it as \"250ms\", \"90s\", \"5m\", \"2h\", \"7d\", \"2w\" or \"PT5M\"";

  private DurationText() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration; the message lists the accepted
   *     forms
   */
  public static Duration parse(String text) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text);
    if (matcher.matches()) {
      return multiplied(Long.parseLong(matcher.group(1)), millisOf(matcher.group(2)), text);
    }
    if (text.length() <= MAX_TEXT_LENGTH && (text.startsWith("P") || text.startsWith("p"))) {
      return iso(text);
    }
    throw unreadable(text, null);
  }

  private static Duration iso(String text) {
    Duration duration;
    try {
      duration = Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw unreadable(text, e);
    }
    if (duration.isNegative()) {
      throw unreadable(text, null);
    }
    return duration;
  }

  private static Duration multiplied(long number, long unit, String text) {
    try {
      return Duration.ofMillis(Math.multiplyExact(number, unit));
    } catch (ArithmeticException e) {
      throw unreadable(text, e);
    }
  }

  private static IllegalArgumentException unreadable(String text, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "'%s' is not a duration: %s".formatted(FieldError.sanitize(text), FORMS), cause);
  }

  private static long millisOf(String unit) {
    return switch (unit) {
      case "ms" -> 1L;
      case "s" -> 1_000L;
      case "m" -> 60_000L;
      case "h" -> 3_600_000L;
      case "d" -> 86_400_000L;
      case "w" -> 7 * 86_400_000L;
      default -> throw new IllegalArgumentException(unit);
    };
  }

  /**
   * Returns the shortest exact text, such as {@code 90s}, {@code 5m} or {@code 7d}. Weeks are
   * written as days. Durations with a fraction of a millisecond and durations over a hundred years
   * are written in ISO-8601.
   */
  public static String format(Duration duration) {
    boolean beyondUnits = duration.compareTo(Millis.MAX_DURATION) > 0 || !Millis.isWhole(duration);
    if (duration.isNegative() || beyondUnits) {
      return duration.toString();
    }
    if (duration.isZero()) {
      return "0s";
    }
    if (duration.toMillisPart() != 0) {
      return duration.toMillis() + "ms";
    }
    long seconds = duration.toSeconds();
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
