// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import java.util.List;
import java.util.Locale;

/** The five fields of a cron expression, in their order. */
enum CronField {
  MINUTE(0, 59, ""),
  HOUR(0, 23, ""),
  DAY(1, 31, ""),
  MONTH(1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"),
  /** Sunday is 0, and also 7. */
  WEEKDAY(0, 7, "sun mon tue wed thu fri sat");

  static final int SUNDAY_AS_7 = 7;

  private final int min;
  private final int max;
  private final String names;

  CronField(int min, int max, String names) {
    this.min = min;
    this.max = max;
    this.names = names;
  }

  int min() {
    return min;
  }

  int max() {
    return max;
  }

  /** Number of different values; the two Sundays are one. */
  int size() {
    return this == WEEKDAY ? 7 : max - min + 1;
  }

  /** The value that a name means, or -1. */
  int named(String name) {
    int index = names().indexOf(name.toLowerCase(Locale.ROOT));
    return index < 0 ? -1 : index + min;
  }

  private List<String> names() {
    return List.of(names.split(" "));
  }

  /** What the field takes, for an error message: "0 to 59", "1 to 12 or jan to dec". */
  String range() {
    String numbers = min + " to " + max;
    return names.isEmpty()
        ? numbers
        : "%s or %s to %s".formatted(numbers, names().getFirst(), names().getLast());
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
