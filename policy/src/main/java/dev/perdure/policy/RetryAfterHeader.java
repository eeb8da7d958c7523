// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the {@code Retry-After} header: seconds, or a date in any of the three HTTP formats. */
public final class RetryAfterHeader {

  private static final int MAX_TEXT_LENGTH = 64;
  private static final int MAX_DIGITS = 15;
  private static final int MAX_YEARS_AHEAD = 50;
  private static final Pattern SECONDS = Pattern.compile("\\d+");
  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);
  private static final DateTimeFormatter ASCTIME =
      new DateTimeFormatterBuilder()
          .appendPattern("EEE MMM ")
          .padNext(2)
          .appendValue(ChronoField.DAY_OF_MONTH)
          .appendPattern(" HH:mm:ss uuuu")
          .toFormatter(Locale.ENGLISH);

  private RetryAfterHeader() {}

  /**
   * Returns the delay that the header asks for, or empty if it cannot be parsed. A date in the past
   * means a delay of zero.
   *
   * @param value the text of the header
   * @param now the server's time, from its {@code Date} header, or else the local time
   */
  public static Optional<Duration> parse(String value, Instant now) {
    String text = value.strip();
    if (SECONDS.matcher(text).matches()) {
      return Optional.of(seconds(text));
    }
    return parseHttpDate(text, now).map(instant -> notNegative(Duration.between(now, instant)));
  }

  /** Returns the longest delay of several headers. */
  public static Optional<Duration> longest(List<String> values, Instant now) {
    return values.stream()
        .map(value -> parse(value, now))
        .flatMap(Optional::stream)
        .max(Duration::compareTo);
  }

  /** Parses an HTTP date in any of its three formats. */
  public static Optional<Instant> parseHttpDate(String text, Instant now) {
    if (text.length() > MAX_TEXT_LENGTH) {
      return Optional.empty();
    }
    return Stream.of(IMF_FIXDATE, rfc850(now), ASCTIME)
        .map(form -> parsed(text, form))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Instant> parsed(String text, DateTimeFormatter form) {
    try {
      return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Duration seconds(String digits) {
    String significant = digits.replaceFirst("^0+(?=.)", "");
    boolean absurd = significant.length() > MAX_DIGITS;
    return absurd ? Millis.MAX_DURATION : Duration.ofSeconds(Long.parseLong(significant));
  }

  private static Duration notNegative(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  /** RFC 9110: a two-digit year is never more than 50 years in the future. */
  private static DateTimeFormatter rfc850(Instant now) {
    int thisYear = ZonedDateTime.ofInstant(now, ZoneOffset.UTC).getYear();
    return new DateTimeFormatterBuilder()
        .appendPattern("EEEE, dd-MMM-")
        .appendValueReduced(ChronoField.YEAR, 2, 2, thisYear - (99 - MAX_YEARS_AHEAD))
        .appendPattern(" HH:mm:ss 'GMT'")
        .toFormatter(Locale.ENGLISH);
  }
}
