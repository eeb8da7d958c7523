// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the schedule of the custom strategy: a row for each attempt from 1, in any order. */
final class CustomScheduleReader {

  private static final List<Unit> UNITS =
      List.of(
          new Unit("delay_days", ChronoUnit.DAYS),
          new Unit("delay_hours", ChronoUnit.HOURS),
          new Unit("delay_minutes", ChronoUnit.MINUTES),
          new Unit("delay_seconds", ChronoUnit.SECONDS));

  private final PathTranslator pathTranslator;
  private final Set<Long> numbered = new HashSet<>();
  private final SortedMap<Long, Duration> delays = new TreeMap<>();

  private CustomScheduleReader(PathTranslator pathTranslator) {
    this.pathTranslator = pathTranslator;
  }

  private record Unit(String field, ChronoUnit unit) {}

  /** The schedule; null when any row is wrong. The paths learn where each delay stands. */
  static @Nullable Backoff read(JsonValueReader jsonValueReader, PathTranslator pathTranslator) {
    JsonObjectReader object = jsonValueReader.object();
    if (object == null) {
      return null;
    }
    JsonObjectReader jsonObjectReader = object.acceptCamelCase();
    JsonValueReader list = jsonObjectReader.required("attempts");
    jsonObjectReader.rejectUnknown();
    List<JsonValueReader> rows = list == null ? null : list.array(Backoff.MAX_ENTRIES);
    if (list == null || rows == null) {
      return null;
    }
    if (rows.isEmpty()) {
      list.addError("needs at least one attempt");
      return null;
    }
    CustomScheduleReader schedule = new CustomScheduleReader(pathTranslator);
    rows.forEach(row -> schedule.add(row, rows.size()));
    return schedule.delays.size() < rows.size()
        ? null
        : new Backoff.Schedule(List.copyOf(schedule.delays.values()));
  }

  private void add(JsonValueReader row, int attempts) {
    JsonObjectReader object = row.object();
    if (object == null) {
      return;
    }
    JsonObjectReader jsonObjectReader = object.acceptCamelCase();
    JsonValueReader number = jsonObjectReader.required("attempt");
    Long attempt = number == null ? null : number.integer(1, attempts);
    if (number != null && attempt != null && !numbered.add(attempt)) {
      number.addError("%d stands twice: number the rows 1 to %d".formatted(attempt, attempts));
    }
    Unit unit = unit(row, jsonObjectReader);
    JsonValueReader named = unit == null ? null : jsonObjectReader.nonNull(unit.field());
    Duration delay = unit == null || named == null ? null : named.positiveDurationIn(unit.unit());
    jsonObjectReader.rejectUnknown();
    if (attempt != null && named != null && delay != null) {
      delays.put(attempt, delay);
      pathTranslator.map("backoff.delays[" + (attempt - 1) + "]", named.path());
    }
  }

  private static @Nullable Unit unit(JsonValueReader row, JsonObjectReader jsonObjectReader) {
    List<Unit> given =
        UNITS.stream().filter(unit -> jsonObjectReader.nonNull(unit.field()) != null).toList();
    if (given.size() == 1) {
      return given.getFirst();
    }
    row.addError(
        "needs exactly one of delay_days, delay_hours, delay_minutes and delay_seconds, not "
            + given.size());
    return null;
  }
}
