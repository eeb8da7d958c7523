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
final class CustomSchedule {

  private static final List<Unit> UNITS =
      List.of(
          new Unit("delay_days", ChronoUnit.DAYS),
          new Unit("delay_hours", ChronoUnit.HOURS),
          new Unit("delay_minutes", ChronoUnit.MINUTES),
          new Unit("delay_seconds", ChronoUnit.SECONDS));

  private final Paths paths;
  private final Set<Long> numbered = new HashSet<>();
  private final SortedMap<Long, Duration> delays = new TreeMap<>();

  private CustomSchedule(Paths paths) {
    this.paths = paths;
  }

  private record Unit(String field, ChronoUnit unit) {}

  /** The schedule; null when any row is wrong. The paths learn where each delay stands. */
  static @Nullable Backoff read(Value value, Paths paths) {
    Fields object = value.fields();
    if (object == null) {
      return null;
    }
    Fields fields = object.inEitherCase();
    Value list = fields.required("attempts");
    fields.refuseOthers();
    List<Value> rows = list == null ? null : list.items(Backoff.MOST_ENTRIES);
    if (list == null || rows == null) {
      return null;
    }
    if (rows.isEmpty()) {
      list.wrong("needs at least one attempt");
      return null;
    }
    CustomSchedule schedule = new CustomSchedule(paths);
    rows.forEach(row -> schedule.add(row, rows.size()));
    return schedule.delays.size() < rows.size()
        ? null
        : new Backoff.Schedule(List.copyOf(schedule.delays.values()));
  }

  private void add(Value row, int attempts) {
    Fields object = row.fields();
    if (object == null) {
      return;
    }
    Fields fields = object.inEitherCase();
    Value number = fields.required("attempt");
    Long attempt = number == null ? null : number.whole(1, attempts);
    if (number != null && attempt != null && !numbered.add(attempt)) {
      number.wrong("%d stands twice: number the rows 1 to %d".formatted(attempt, attempts));
    }
    Unit unit = unit(row, fields);
    Value named = unit == null ? null : fields.given(unit.field());
    Duration delay = unit == null || named == null ? null : named.delayIn(unit.unit());
    fields.refuseOthers();
    if (attempt != null && named != null && delay != null) {
      delays.put(attempt, delay);
      paths.show("backoff.delays[" + (attempt - 1) + "]", named.path());
    }
  }

  private static @Nullable Unit unit(Value row, Fields fields) {
    List<Unit> given = UNITS.stream().filter(unit -> fields.given(unit.field()) != null).toList();
    if (given.size() == 1) {
      return given.getFirst();
    }
    row.wrong(
        "needs exactly one of delay_days, delay_hours, delay_minutes and delay_seconds, not "
            + given.size());
    return null;
  }
}
