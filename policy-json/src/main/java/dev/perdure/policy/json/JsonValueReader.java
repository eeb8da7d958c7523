// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.NameSuggestion;
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
 * A JSON value and its path. Each method that reads a value returns null if the value is invalid,
 * and adds an error. Use it to read your own JSON formats that contain policies.
 */
public record JsonValueReader(String path, JsonNode json, FieldErrors errors) {

  private static final Pattern BARE_NUMBER = Pattern.compile("\\d{1,15}");
  private static final int MAX_INSTANT_LENGTH = 64;

  /** Longer than any valid duration, and far from an overflow. */
  private static final BigDecimal MAX_MILLIS = BigDecimal.valueOf(1_000_000_000_000_000L);

  public void addError(String message) {
    errors.add(path, message);
  }

  public boolean isNull() {
    return json.isNull();
  }

  public @Nullable String text() {
    if (json.isString()) {
      return json.stringValue();
    }
    addError("must be a string, not " + describe());
    return null;
  }

  /** Reads one of these strings; {@code what} names the field in the error message. */
  public @Nullable String oneOf(String what, Collection<String> known) {
    String text = text();
    if (text == null || known.contains(text)) {
      return text;
    }
    addError(
        "unknown %s '%s'%s (%s)"
            .formatted(
                what,
                FieldError.sanitize(text),
                NameSuggestion.hint(text, known),
                String.join(", ", known)));
    return null;
  }

  /**
   * Reads one of these strings. An unknown string is an error, but is read as the most similar
   * known one, so that the fields beside it can be checked too.
   */
  @Nullable String oneOfOrNearest(String what, Collection<String> known) {
    String word = oneOf(what, known);
    return word != null || !json.isString()
        ? word
        : NameSuggestion.to(json.stringValue(), known).orElse(null);
  }

  public @Nullable Boolean bool() {
    if (json.isBoolean()) {
      return json.booleanValue();
    }
    addError("must be true or false, not " + describe());
    return null;
  }

  /** Reads a whole number of at least {@code min}. */
  public @Nullable Integer integer(int min) {
    Long number = integer(min, Integer.MAX_VALUE);
    return number == null ? null : number.intValue();
  }

  public @Nullable Long integer(long min, long max) {
    BigDecimal number = JsonNumbers.of(json).filter(JsonNumbers::isWhole).orElse(null);
    if (number != null
        && number.compareTo(BigDecimal.valueOf(min)) >= 0
        && number.compareTo(BigDecimal.valueOf(max)) <= 0) {
      return number.longValue();
    }
    addError("must be a whole number from %d to %d, not %s".formatted(min, max, describe()));
    return null;
  }

  /** Reads a finite number of at least {@code min}. */
  public @Nullable Double number(double min) {
    double number = JsonNumbers.of(json).map(BigDecimal::doubleValue).orElse(Double.NaN);
    if (number >= min && Double.isFinite(number)) {
      return number;
    }
    addError("must be a finite number of at least %s, not %s".formatted(plain(min), describe()));
    return null;
  }

  private static String plain(double number) {
    return JsonNumbers.text(BigDecimal.valueOf(number));
  }

  /** Reads a duration with a unit, such as {@code "5m"}. */
  public @Nullable Duration duration() {
    String text = json.isNumber() ? describe() : text();
    if (text == null) {
      return null;
    }
    if (BARE_NUMBER.matcher(text).matches()) {
      addError("%s has no unit: write \"%s\" for seconds".formatted(text, text + "s"));
      return null;
    }
    try {
      Duration delay = DurationText.parse(text);
      return errors.requireDelay(path, delay) ? delay : null;
    } catch (IllegalArgumentException e) {
      addError(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Reads a positive number of these units. */
  @Nullable Duration positiveDurationIn(ChronoUnit unit) {
    Duration length = durationIn(unit);
    if (length == null || !length.isZero()) {
      return length;
    }
    addError("must be more than 0");
    return null;
  }

  /** Reads a number of these units, 0 or more, with decimals down to the millisecond. */
  @Nullable Duration durationIn(ChronoUnit unit) {
    BigDecimal number = JsonNumbers.of(json).orElse(null);
    if (number == null) {
      addError("must be a number of %s, not %s".formatted(nameOf(unit), describe()));
      return null;
    }
    if (number.signum() < 0) {
      addError("must be 0 or more, not " + describe());
      return null;
    }
    BigDecimal millis = number.multiply(BigDecimal.valueOf(unit.getDuration().toMillis()));
    if (!JsonNumbers.isWhole(millis)) {
      addError("must be whole milliseconds, not %s %s".formatted(describe(), nameOf(unit)));
      return null;
    }
    Duration length = Duration.ofMillis(millis.min(MAX_MILLIS).longValue());
    return length.isZero() || errors.requireDelay(path, length) ? length : null;
  }

  private static String nameOf(ChronoUnit unit) {
    return unit.toString().toLowerCase(Locale.ROOT);
  }

  /** Reads an instant in ISO-8601, with an offset or {@code Z}. */
  public @Nullable Instant instant() {
    String text = text();
    if (text == null) {
      return null;
    }
    Instant instant = text.length() > MAX_INSTANT_LENGTH ? null : parsed(text);
    if (instant == null) {
      addError(
          "'%s' is not an instant: write it as \"2026-01-31T12:00:00Z\""
              .formatted(FieldError.sanitize(text)));
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

  public @Nullable JsonObjectReader object() {
    if (json.isObject()) {
      return JsonObjectReader.of(this);
    }
    addError("must be an object, not " + describe());
    return null;
  }

  /** Reads the entries of an array of at most {@code max} entries. */
  public @Nullable List<JsonValueReader> array(int max) {
    if (!json.isArray()) {
      addError("must be an array, not " + describe());
      return null;
    }
    if (json.size() > max) {
      addError("has %d entries, at most %d are allowed".formatted(json.size(), max));
      return null;
    }
    List<JsonValueReader> items = new ArrayList<>();
    for (int i = 0; i < json.size(); i++) {
      items.add(new JsonValueReader(path + "[" + i + "]", json.get(i), errors));
    }
    return items;
  }

  /** Describes the value for an error message; a long value is shortened. */
  String describe() {
    if (json.isString()) {
      return "'" + FieldError.sanitize(json.stringValue()) + "'";
    }
    if (json.isNumber()) {
      return JsonNumbers.of(json).map(JsonNumbers::text).orElse("a number that is out of range");
    }
    if (json.isBoolean() || json.isNull()) {
      return json.asString("null");
    }
    return json.isArray() ? "an array" : json.isObject() ? "an object" : "something else";
  }
}
