// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a canonical backoff; answers null when anything in it is wrong. */
final class BackoffForm {

  private static final List<String> TYPES =
      List.of("immediate", "fixed", "linear", "exponential", "schedule", "ladder");

  private BackoffForm() {}

  static @Nullable Backoff read(Value value) {
    Fields fields = value.fields();
    Value named = fields == null ? null : fields.required("type");
    String type = named == null ? null : named.wordOrNearest("backoff", TYPES);
    if (fields == null || type == null) {
      return null;
    }
    Backoff backoff =
        switch (type) {
          case "immediate" -> Backoff.immediate();
          case "fixed" -> fixed(fields);
          case "linear" -> linear(fields);
          case "exponential" -> exponential(fields);
          case "schedule" -> schedule(fields);
          default -> ladder(fields);
        };
    fields.refuseOthers();
    return backoff;
  }

  private static @Nullable Backoff fixed(Fields fields) {
    Duration delay = fields.delay("delay");
    return delay == null ? null : Backoff.fixed(delay);
  }

  private static @Nullable Backoff linear(Fields fields) {
    Duration initial = fields.delay("initial");
    Value named = fields.optional("increment");
    Duration increment = named == null ? initial : named.delay();
    return initial == null || increment == null ? null : Backoff.linear(initial, increment);
  }

  private static @Nullable Backoff exponential(Fields fields) {
    Duration initial = fields.delay("initial");
    Value named = fields.optional("multiplier");
    Double multiplier = multiplier(named);
    return initial == null || multiplier == null ? null : Backoff.exponential(initial, multiplier);
  }

  /** The multiplier of this field, or the default without one. */
  static @Nullable Double multiplier(@Nullable Value named) {
    if (named == null) {
      return Backoff.Exponential.DEFAULT_MULTIPLIER;
    }
    return named.number(1);
  }

  private static @Nullable Backoff schedule(Fields fields) {
    List<Value> items = items(fields.required("delays"));
    List<Duration> delays = new ArrayList<>();
    for (Value item : items) {
      Duration delay = item.delay();
      if (delay != null) {
        delays.add(delay);
      }
    }
    return items.isEmpty() || delays.size() < items.size() ? null : new Backoff.Schedule(delays);
  }

  private static @Nullable Backoff ladder(Fields fields) {
    List<Value> items = items(fields.required("steps"));
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Backoff.Step step = step(items.get(i), i == items.size() - 1);
      if (step != null) {
        steps.add(step);
      }
    }
    return items.isEmpty() || steps.size() < items.size() ? null : new Backoff.Ladder(steps);
  }

  private static Backoff.@Nullable Step step(Value value, boolean last) {
    Fields fields = value.fields();
    if (fields == null) {
      return null;
    }
    Integer count = count(fields, last);
    Duration delay = fields.delay("delay");
    fields.refuseOthers();
    return count == null || delay == null ? null : new Backoff.Step(count, delay);
  }

  /** How often a step is taken; 0 means for ever, in the last step only. */
  static @Nullable Integer count(Fields fields, boolean last) {
    Value value = fields.required("count");
    Integer count = value == null ? null : value.whole(0);
    if (value != null && count != null && count == 0 && !last) {
      value.wrong("0 means for ever and may stand in the last step only");
      return null;
    }
    return count;
  }

  private static List<Value> items(@Nullable Value list) {
    List<Value> items = list == null ? null : list.items(Backoff.MOST_ENTRIES);
    if (list != null && items != null && items.isEmpty()) {
      list.wrong("needs at least one entry");
    }
    return items == null ? List.of() : items;
  }
}
