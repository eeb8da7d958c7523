// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schedule of the custom strategy: one row per attempt, numbered from 1, in any order.
 */
final class CustomScheduleReader {

  private static final List<Unit> UNITS =
      List.of(
          new Unit("delay_days", ChronoUnit.DAYS),
          new Unit("delay_hours", ChronoUnit.HOURS),
          new Unit("delay_minutes", ChronoUnit.MINUTES),
          new Unit("delay_seconds", ChronoUnit.SECONDS));

  private final PathTranslator paths;
  private final Set<Long> numbered = new HashSet<>();
  private final SortedMap<Long, Row> rows = new TreeMap<>();

  private CustomScheduleReader(PathTranslator paths) {
    this.paths = paths;
  }

  private record Unit(String field, ChronoUnit unit) {}

  private record Row(String path, Duration delay) {}

  /**
   * Reads the schedule; returns null if it has no rows. Records the path of each delay in {@code
   * paths}.
   */
  static @Nullable Backoff read(JsonValueReader value, PathTranslator paths) {
    JsonObjectReader snakeCase = value.object();
    if (snakeCase == null) {
      return null;
    }
    JsonObjectReader object = snakeCase.acceptCamelCase();
    JsonValueReader list = object.required("attempts");
    object.rejectUnknown();
    List<JsonValueReader> rows = list == null ? null : list.array(Backoff.MAX_ENTRIES);
    if (list == null || rows == null) {
      return null;
    }
    if (rows.isEmpty()) {
      list.addError("needs at least one attempt");
      return null;
    }
    CustomScheduleReader schedule = new CustomScheduleReader(paths);
    rows.forEach(row -> schedule.add(row, rows.size()));
    return schedule.backoff();
  }

  private Backoff backoff() {
    List<Duration> delays = new ArrayList<>();
    for (Row row : rows.values()) {
      paths.map("backoff.delays[" + delays.size() + "]", row.path());
      delays.add(row.delay());
    }
    return new Backoff.Schedule(delays);
  }

  private void add(JsonValueReader row, int attempts) {
    // A row without a valid number comes first, where it harms no other row.
    long unnumbered = -1L - rows.size();
    JsonObjectReader snakeCase = row.object();
    if (snakeCase == null) {
      rows.put(unnumbered, new Row(row.path(), BackoffReader.UNREADABLE));
      return;
    }
    JsonObjectReader object = snakeCase.acceptCamelCase();
    JsonValueReader number = object.required("attempt");
    Long attempt = number == null ? null : number.integer(1, attempts);
    boolean twice = attempt != null && !numbered.add(attempt);
    if (number != null && twice) {
      number.addError("%d is used twice: number the rows 1 to %d".formatted(attempt, attempts));
    }
    Unit unit = unit(row, object);
    JsonValueReader named = unit == null ? null : object.nonNull(unit.field());
    Duration delay = unit == null || named == null ? null : named.positiveDurationIn(unit.unit());
    object.rejectUnknown();
    rows.put(
        attempt == null || twice ? unnumbered : attempt,
        new Row(named == null ? row.path() : named.path(), BackoffReader.orUnreadable(delay)));
  }

  private static @Nullable Unit unit(JsonValueReader row, JsonObjectReader object) {
    List<Unit> given = UNITS.stream().filter(unit -> object.nonNull(unit.field()) != null).toList();
    if (!given.isEmpty()) {
      UNITS.forEach(unit -> object.neverSuggest(unit.field()));
    }
    if (given.size() == 1) {
      return given.getFirst();
    }
    row.addError(
        "needs exactly one of delay_days, delay_hours, delay_minutes and delay_seconds, but has "
            + given.size());
    return null;
  }
}
