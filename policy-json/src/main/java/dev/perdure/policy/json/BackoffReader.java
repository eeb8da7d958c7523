// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a canonical backoff; returns null if nothing in it can be read. If only a part is wrong,
 * the rest is returned, so that it can be checked too.
 */
final class BackoffReader {

  /** Replaces a delay that cannot be read. It is too short to cause another error. */
  static final Duration UNREADABLE = Duration.ofMillis(1);

  private static final List<String> TYPES =
      List.of("immediate", "fixed", "linear", "exponential", "schedule", "ladder");

  private BackoffReader() {}

  static @Nullable Backoff read(JsonValueReader value) {
    JsonObjectReader object = value.object();
    JsonValueReader named = object == null ? null : object.required("type");
    String type = named == null ? null : named.oneOfOrNearest("backoff", TYPES);
    if (object == null || type == null) {
      return null;
    }
    Backoff backoff =
        switch (type) {
          case "immediate" -> Backoff.immediate();
          case "fixed" -> fixed(object);
          case "linear" -> linear(object);
          case "exponential" -> exponential(object);
          case "schedule" -> schedule(object);
          default -> ladder(object);
        };
    object.rejectUnknown();
    return backoff;
  }

  private static @Nullable Backoff fixed(JsonObjectReader object) {
    Duration delay = object.duration("delay");
    return delay == null ? null : Backoff.fixed(delay);
  }

  private static @Nullable Backoff linear(JsonObjectReader object) {
    Duration initial = object.duration("initial");
    JsonValueReader named = object.optional("increment");
    Duration increment = named == null ? initial : named.duration();
    return initial == null && increment == null
        ? null
        : Backoff.linear(orUnreadable(initial), orUnreadable(increment));
  }

  private static @Nullable Backoff exponential(JsonObjectReader object) {
    Duration initial = object.duration("initial");
    JsonValueReader named = object.optional("multiplier");
    double multiplier = multiplier(named);
    return initial == null ? null : Backoff.exponential(initial, multiplier);
  }

  /** Reads the multiplier. Returns the default if the field is missing, and 1 if it is wrong. */
  static double multiplier(@Nullable JsonValueReader named) {
    if (named == null) {
      return Backoff.Exponential.DEFAULT_MULTIPLIER;
    }
    Double multiplier = named.number(1);
    return multiplier == null ? 1 : multiplier;
  }

  private static @Nullable Backoff schedule(JsonObjectReader object) {
    List<JsonValueReader> items = items(object.required("delays"));
    List<Duration> delays = new ArrayList<>();
    items.forEach(item -> delays.add(orUnreadable(item.duration())));
    return delays.isEmpty() ? null : new Backoff.Schedule(delays);
  }

  private static @Nullable Backoff ladder(JsonObjectReader object) {
    List<JsonValueReader> items = items(object.required("steps"));
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      steps.add(step(items.get(i), i == items.size() - 1));
    }
    return steps.isEmpty() ? null : new Backoff.Ladder(steps);
  }

  private static Backoff.Step step(JsonValueReader value, boolean last) {
    JsonObjectReader object = value.object();
    if (object == null) {
      return new Backoff.Step(1, UNREADABLE);
    }
    int count = count(object, last);
    Duration delay = object.duration("delay");
    object.rejectUnknown();
    return new Backoff.Step(count, orUnreadable(delay));
  }

  /**
   * Reads the number of retries of a step; 0 means forever and is allowed only in the last step.
   * Returns 1 if it is wrong.
   */
  static int count(JsonObjectReader object, boolean last) {
    JsonValueReader value = object.required("count");
    Integer count = value == null ? null : value.integer(0);
    if (value == null || count == null) {
      return 1;
    }
    if (count == 0 && !last) {
      value.addError("0 means forever and is allowed only in the last step");
      return 1;
    }
    return count;
  }

  static Duration orUnreadable(@Nullable Duration delay) {
    return delay == null ? UNREADABLE : delay;
  }

  private static List<JsonValueReader> items(@Nullable JsonValueReader list) {
    List<JsonValueReader> items = list == null ? null : list.array(Backoff.MAX_ENTRIES);
    if (list != null && items != null && items.isEmpty()) {
      list.addError("needs at least one entry");
    }
    return items == null ? List.of() : items;
  }
}
