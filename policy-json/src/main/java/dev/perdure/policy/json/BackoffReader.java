// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a canonical backoff; returns null if anything in it is wrong. */
final class BackoffReader {

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
    return initial == null || increment == null ? null : Backoff.linear(initial, increment);
  }

  private static @Nullable Backoff exponential(JsonObjectReader object) {
    Duration initial = object.duration("initial");
    JsonValueReader named = object.optional("multiplier");
    Double multiplier = multiplier(named);
    return initial == null || multiplier == null ? null : Backoff.exponential(initial, multiplier);
  }

  /** Reads the multiplier, or returns the default if the field is missing. */
  static @Nullable Double multiplier(@Nullable JsonValueReader named) {
    if (named == null) {
      return Backoff.Exponential.DEFAULT_MULTIPLIER;
    }
    return named.number(1);
  }

  private static @Nullable Backoff schedule(JsonObjectReader object) {
    List<JsonValueReader> items = items(object.required("delays"));
    List<Duration> delays = new ArrayList<>();
    for (JsonValueReader item : items) {
      Duration delay = item.duration();
      if (delay != null) {
        delays.add(delay);
      }
    }
    return items.isEmpty() || delays.size() < items.size() ? null : new Backoff.Schedule(delays);
  }

  private static @Nullable Backoff ladder(JsonObjectReader object) {
    List<JsonValueReader> items = items(object.required("steps"));
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Backoff.Step step = step(items.get(i), i == items.size() - 1);
      if (step != null) {
        steps.add(step);
      }
    }
    return items.isEmpty() || steps.size() < items.size() ? null : new Backoff.Ladder(steps);
  }

  private static Backoff.@Nullable Step step(JsonValueReader value, boolean last) {
    JsonObjectReader object = value.object();
    if (object == null) {
      return null;
    }
    Integer count = count(object, last);
    Duration delay = object.duration("delay");
    object.rejectUnknown();
    return count == null || delay == null ? null : new Backoff.Step(count, delay);
  }

  /**
   * Reads the number of retries of a step; 0 means forever and is allowed only in the last step.
   */
  static @Nullable Integer count(JsonObjectReader object, boolean last) {
    JsonValueReader value = object.required("count");
    Integer count = value == null ? null : value.integer(0);
    if (value != null && count != null && count == 0 && !last) {
      value.addError("0 means forever and is allowed only in the last step");
      return null;
    }
    return count;
  }

  private static List<JsonValueReader> items(@Nullable JsonValueReader list) {
    List<JsonValueReader> items = list == null ? null : list.array(Backoff.MAX_ENTRIES);
    if (list != null && items != null && items.isEmpty()) {
      list.addError("needs at least one entry");
    }
    return items == null ? List.of() : items;
  }
}
