// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.NearestName;
import dev.perdure.policy.Problem;
import dev.perdure.policy.Problems;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A JSON value and where it stands. Each reader answers null when the value is not what it should
 * be, and has then said so among the problems. For forms of one's own that hold policies.
 */
public record Value(String path, JsonNode json, Problems problems) {

  private static final Pattern BARE_NUMBER = Pattern.compile("\\d{1,15}");
  private static final int LONGEST_INSTANT = 64;

  /** Longer than any duration may be, and far from an overflow. */
  private static final BigDecimal MANY_MILLIS = BigDecimal.valueOf(1_000_000_000_000_000L);

  public void wrong(String message) {
    problems.add(path, message);
  }

  public boolean isNull() {
    return json.isNull();
  }

  public @Nullable String text() {
    if (json.isString()) {
      return json.stringValue();
    }
    wrong("must be a string, not " + described());
    return null;
  }

  /** One of these words. */
  public @Nullable String word(String what, Collection<String> known) {
    String text = text();
    if (text == null || known.contains(text)) {
      return text;
    }
    wrong(
        "unknown %s '%s'%s (%s)"
            .formatted(
                what,
                Problem.quotable(text),
                NearestName.hint(text, known),
                String.join(", ", known)));
    return null;
  }

  /** The same; a word that is wrong is told, and read as the known one that is near it. */
  @Nullable String wordOrNearest(String what, Collection<String> known) {
    String word = word(what, known);
    return word != null || !json.isString()
        ? word
        : NearestName.to(json.stringValue(), known).orElse(null);
  }

  public @Nullable Boolean truth() {
    if (json.isBoolean()) {
      return json.booleanValue();
    }
    wrong("must be true or false, not " + described());
    return null;
  }

  /** A whole number from {@code least} up. */
  public @Nullable Integer whole(int least) {
    Long number = whole(least, Integer.MAX_VALUE);
    return number == null ? null : number.intValue();
  }

  public @Nullable Long whole(long least, long most) {
    BigDecimal number = Numbers.of(json).filter(Numbers::isWhole).orElse(null);
    if (number != null
        && number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(most)) <= 0) {
      return number.longValue();
    }
    wrong("must be a whole number from %d to %d, not %s".formatted(least, most, described()));
    return null;
  }

  /** A finite number of at least {@code least}. */
  public @Nullable Double number(double least) {
    double number = Numbers.of(json).map(BigDecimal::doubleValue).orElse(Double.NaN);
    if (number >= least && Double.isFinite(number)) {
      return number;
    }
    wrong("must be a finite number of at least %s, not %s".formatted(plain(least), described()));
    return null;
  }

  private static String plain(double number) {
    return Numbers.text(BigDecimal.valueOf(number));
  }

  /** A duration with its unit, such as {@code "5m"}. */
  public @Nullable Duration delay() {
    String text = json.isNumber() ? described() : text();
    if (text == null) {
      return null;
    }
    if (BARE_NUMBER.matcher(text).matches()) {
      wrong("%s has no unit: write \"%s\" for seconds".formatted(text, text + "s"));
      return null;
    }
    try {
      Duration delay = DurationText.parse(text);
      return problems.requireDelay(path, delay) ? delay : null;
    } catch (IllegalArgumentException e) {
      wrong(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** A number of these units, more than 0. */
  @Nullable Duration delayIn(ChronoUnit unit) {
    Duration length = lengthIn(unit);
    if (length == null || !length.isZero()) {
      return length;
    }
    wrong("must be more than 0");
    return null;
  }

  /** A number of these units, with decimals down to the millisecond. */
  @Nullable Duration lengthIn(ChronoUnit unit) {
    BigDecimal number = Numbers.of(json).orElse(null);
    if (number == null) {
      wrong("must be a number of %s, not %s".formatted(nameOf(unit), described()));
      return null;
    }
    if (number.signum() < 0) {
      wrong("must not be negative, but is " + described());
      return null;
    }
    BigDecimal millis = number.multiply(BigDecimal.valueOf(unit.getDuration().toMillis()));
    if (!Numbers.isWhole(millis)) {
      wrong("must be whole milliseconds, not %s %s".formatted(described(), nameOf(unit)));
      return null;
    }
    Duration length = Duration.ofMillis(millis.min(MANY_MILLIS).longValue());
    return length.isZero() || problems.requireDelay(path, length) ? length : null;
  }

  private static String nameOf(ChronoUnit unit) {
    return unit.toString().toLowerCase(Locale.ROOT);
  }

  /** An instant in ISO-8601, with an offset or {@code Z}. */
  public @Nullable Instant instant() {
    String text = text();
    if (text == null) {
      return null;
    }
    Instant instant = text.length() > LONGEST_INSTANT ? null : parsed(text);
    if (instant == null) {
      wrong(
          "'%s' is not an instant: write it as \"2026-01-31T12:00:00Z\""
              .formatted(Problem.quotable(text)));
    }
    return instant;
  }

  private static @Nullable Instant parsed(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return parsedWithOffset(text);
    }
  }

  private static @Nullable Instant parsedWithOffset(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  public @Nullable Fields fields() {
    if (json.isObject()) {
      return Fields.of(this);
    }
    wrong("must be an object, not " + described());
    return null;
  }

  /** The entries of an array, at most so many. */
  public @Nullable List<Value> items(int most) {
    if (!json.isArray()) {
      wrong("must be an array, not " + described());
      return null;
    }
    if (json.size() > most) {
      wrong("has %d entries, at most %d are allowed".formatted(json.size(), most));
      return null;
    }
    List<Value> items = new ArrayList<>();
    for (int i = 0; i < json.size(); i++) {
      items.add(new Value(path + "[" + i + "]", json.get(i), problems));
    }
    return items;
  }

  /** What stands here, for a message; never the whole of something long. */
  String described() {
    if (json.isString()) {
      return "'" + Problem.quotable(json.stringValue()) + "'";
    }
    if (json.isNumber()) {
      return Numbers.of(json).map(Numbers::text).orElse("a number without bounds");
    }
    if (json.isBoolean() || json.isNull()) {
      return json.asString("null");
    }
    return json.isArray() ? "an array" : json.isObject() ? "an object" : "something else";
  }
}
