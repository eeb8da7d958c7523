// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NameSuggestion;
import dev.perdure.policy.json.JsonValueReader;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a time of day in JSON; wrong ones are added to the errors of the value. */
final class TimeOfDayFields {

  private static final Pattern TIME = Pattern.compile("([01]\\d|2[0-3]):([0-5]\\d)");
  private static final int MAX_DAYS = 7;
  private static final List<String> NAMES =
      Arrays.stream(DayOfWeek.values()).map(TimeOfDayFields::name).toList();

  private TimeOfDayFields() {}

  static @Nullable LocalTime time(JsonValueReader value) {
    String text = value.text();
    if (text == null) {
      return null;
    }
    Matcher parts = TIME.matcher(text);
    if (parts.matches()) {
      return LocalTime.of(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
    }
    value.addError(
        "'%s' is not a time of day; write hours and minutes from \"00:00\" to \"23:59\""
            .formatted(FieldError.sanitize(text)));
    return null;
  }

  /** Every day if there is no value; null if a day is wrong. */
  static @Nullable Set<DayOfWeek> days(@Nullable JsonValueReader value) {
    if (value == null) {
      return EnumSet.allOf(DayOfWeek.class);
    }
    List<JsonValueReader> items = value.array(MAX_DAYS);
    if (items == null) {
      return null;
    }
    if (items.isEmpty()) {
      value.addError("is empty; name at least one day, or leave it out for every day");
      return null;
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    int wrong = 0;
    for (JsonValueReader item : items) {
      DayOfWeek day = day(item);
      if (day == null) {
        wrong++;
      } else {
        days.add(day);
      }
    }
    return wrong > 0 ? null : days;
  }

  private static @Nullable DayOfWeek day(JsonValueReader item) {
    String text = item.text();
    if (text == null) {
      return null;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    for (DayOfWeek day : DayOfWeek.values()) {
      if (lower.equals(name(day)) || lower.equals(day.name().toLowerCase(Locale.ROOT))) {
        return day;
      }
    }
    item.addError(
        "unknown day '%s'%s (%s)"
            .formatted(
                FieldError.sanitize(text),
                NameSuggestion.hint(text, NAMES),
                String.join(", ", NAMES)));
    return null;
  }

  /** "mon", "tue" and so on. */
  static String name(DayOfWeek day) {
    return day.name().substring(0, 3).toLowerCase(Locale.ROOT);
  }
}
