// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a canonical backoff; answers null when anything in it is wrong. */
final class BackoffReader {

  private static final List<String> TYPES =
      List.of("immediate", "fixed", "linear", "exponential", "schedule", "ladder");

  private BackoffReader() {}

  static @Nullable Backoff read(JsonValueReader jsonValueReader) {
    JsonObjectReader jsonObjectReader = jsonValueReader.object();
    JsonValueReader named = jsonObjectReader == null ? null : jsonObjectReader.required("type");
    String type = named == null ? null : named.oneOfOrNearest("backoff", TYPES);
    if (jsonObjectReader == null || type == null) {
      return null;
    }
    Backoff backoff =
        switch (type) {
          case "immediate" -> Backoff.immediate();
          case "fixed" -> fixed(jsonObjectReader);
          case "linear" -> linear(jsonObjectReader);
          case "exponential" -> exponential(jsonObjectReader);
          case "schedule" -> schedule(jsonObjectReader);
          default -> ladder(jsonObjectReader);
        };
    jsonObjectReader.rejectUnknown();
    return backoff;
  }

  private static @Nullable Backoff fixed(JsonObjectReader jsonObjectReader) {
    Duration delay = jsonObjectReader.duration("delay");
    return delay == null ? null : Backoff.fixed(delay);
  }

  private static @Nullable Backoff linear(JsonObjectReader jsonObjectReader) {
    Duration initial = jsonObjectReader.duration("initial");
    JsonValueReader named = jsonObjectReader.optional("increment");
    Duration increment = named == null ? initial : named.duration();
    return initial == null || increment == null ? null : Backoff.linear(initial, increment);
  }

  private static @Nullable Backoff exponential(JsonObjectReader jsonObjectReader) {
    Duration initial = jsonObjectReader.duration("initial");
    JsonValueReader named = jsonObjectReader.optional("multiplier");
    Double multiplier = multiplier(named);
    return initial == null || multiplier == null ? null : Backoff.exponential(initial, multiplier);
  }

  /** The multiplier of this field, or the default without one. */
  static @Nullable Double multiplier(@Nullable JsonValueReader named) {
    if (named == null) {
      return Backoff.Exponential.DEFAULT_MULTIPLIER;
    }
    return named.number(1);
  }

  private static @Nullable Backoff schedule(JsonObjectReader jsonObjectReader) {
    List<JsonValueReader> items = items(jsonObjectReader.required("delays"));
    List<Duration> delays = new ArrayList<>();
    for (JsonValueReader item : items) {
      Duration delay = item.duration();
      if (delay != null) {
        delays.add(delay);
      }
    }
    return items.isEmpty() || delays.size() < items.size() ? null : new Backoff.Schedule(delays);
  }

  private static @Nullable Backoff ladder(JsonObjectReader jsonObjectReader) {
    List<JsonValueReader> items = items(jsonObjectReader.required("steps"));
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Backoff.Step step = step(items.get(i), i == items.size() - 1);
      if (step != null) {
        steps.add(step);
      }
    }
    return items.isEmpty() || steps.size() < items.size() ? null : new Backoff.Ladder(steps);
  }

  private static Backoff.@Nullable Step step(JsonValueReader jsonValueReader, boolean last) {
    JsonObjectReader jsonObjectReader = jsonValueReader.object();
    if (jsonObjectReader == null) {
      return null;
    }
    Integer count = count(jsonObjectReader, last);
    Duration delay = jsonObjectReader.duration("delay");
    jsonObjectReader.rejectUnknown();
    return count == null || delay == null ? null : new Backoff.Step(count, delay);
  }

  /** How often a step is taken; 0 means for ever, in the last step only. */
  static @Nullable Integer count(JsonObjectReader jsonObjectReader, boolean last) {
    JsonValueReader jsonValueReader = jsonObjectReader.required("count");
    Integer count = jsonValueReader == null ? null : jsonValueReader.integer(0);
    if (jsonValueReader != null && count != null && count == 0 && !last) {
      jsonValueReader.addError("0 means for ever and may stand in the last step only");
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
