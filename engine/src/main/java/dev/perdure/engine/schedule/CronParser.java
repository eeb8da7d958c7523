// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static java.util.stream.Collectors.joining;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.NameSuggestion;
import java.time.Month;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads cron expressions. */
final class CronParser {

  private static final int MAX_LENGTH = 500;
  private static final String FIELDS = "cron has five fields: minute hour day month weekday";

  private static final Map<String, String> MACROS =
      new TreeMap<>(
          Map.of(
              "@yearly", "0 0 1 1 *",
              "@annually", "0 0 1 1 *",
              "@monthly", "0 0 1 * *",
              "@weekly", "0 0 * * 0",
              "@daily", "0 0 * * *",
              "@midnight", "0 0 * * *",
              "@hourly", "0 * * * *"));

  private CronParser() {}

  /** Returns null if the expression is wrong, and adds everything that is wrong to the errors. */
  static @Nullable CronExpression parse(String text, List<String> errors) {
    if (text.length() > MAX_LENGTH) {
      errors.add("has %d characters, at most %d are allowed".formatted(text.length(), MAX_LENGTH));
      return null;
    }
    String written = text.strip();
    if (written.startsWith("@")) {
      return macro(written, errors);
    }
    if (written.matches("(?i)(CRON_)?TZ=.*")) {
      errors.add("'TZ=' is not supported; put the name of the zone into the field zone");
      return null;
    }
    return fields(written, written, errors);
  }

  private static @Nullable CronExpression macro(String written, List<String> errors) {
    String name = written.toLowerCase(Locale.ROOT);
    String fields = MACROS.get(name);
    if (fields != null) {
      return fields(name, fields, errors);
    }
    errors.add(
        name.startsWith("@every")
            ? "'@every' is not supported; use every instead of cron: {\"every\": \"5m\"}"
            : "unknown macro '%s'%s (%s)"
                .formatted(
                    FieldError.sanitize(written),
                    NameSuggestion.hint(name, MACROS.keySet()),
                    String.join(", ", MACROS.keySet())));
    return null;
  }

  private static @Nullable CronExpression fields(String written, String text, List<String> errors) {
    String[] parts = text.isEmpty() ? new String[0] : text.split("\\s+");
    if (parts.length != CronField.values().length) {
      String given = parts.length == 1 ? "1 was given" : parts.length + " were given";
      String hint = parts.length > CronField.values().length ? "; seconds are not supported" : "";
      errors.add("%s; %s%s".formatted(FIELDS, given, hint));
      return null;
    }
    List<FieldValues> values = new ArrayList<>();
    Iterator<String> part = List.of(parts).iterator();
    for (CronField field : CronField.values()) {
      try {
        values.add(CronFieldParser.parse(field, part.next()));
      } catch (IllegalArgumentException e) {
        errors.add(String.valueOf(e.getMessage()));
      }
    }
    return values.size() < parts.length
        ? null
        : firing(written.replaceAll("\\s+", " "), values, errors);
  }

  private static @Nullable CronExpression firing(
      String text, List<FieldValues> values, List<String> errors) {
    CronExpression expression =
        new CronExpression(
            text, values.get(0), values.get(1), values.get(2), values.get(3), values.get(4));
    FieldValues months = expression.months();
    FieldValues days = expression.days();
    if (expression.eitherDay() || months.list().stream().anyMatch(m -> has(m, days.first()))) {
      return expression;
    }
    errors.add(
        "never fires: there is no day %s in %s; change the day or the month"
            .formatted(
                days.list().stream().map(String::valueOf).collect(joining(" or ")),
                months.list().stream().map(Words::month).collect(joining(" or "))));
    return null;
  }

  /** Returns true if the month has this day, in leap years at least. */
  static boolean has(int month, int day) {
    return day <= Month.of(month).maxLength();
  }
}
