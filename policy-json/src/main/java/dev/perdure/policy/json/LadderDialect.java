// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Jitter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the dialect that is an array of steps in minutes, without jitter. */
final class LadderDialect {

  private LadderDialect() {}

  static void read(Value array, Reading reading) {
    reading.draft().jitter(Jitter.none());
    reading.paths().show("backoff.steps", "");
    List<Value> items = array.items(Backoff.MOST_ENTRIES);
    if (items == null) {
      return;
    }
    if (items.isEmpty()) {
      array.wrong("is an empty array: a ladder needs at least one step, and null never retries");
      return;
    }
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      reading
          .paths()
          .show("backoff.steps[" + i + "].delay", items.get(i).path() + ".delay_minutes");
      Backoff.Step step = step(items.get(i), i == items.size() - 1);
      if (step != null) {
        steps.add(step);
      }
    }
    if (steps.size() == items.size()) {
      reading.draft().backoff(new Backoff.Ladder(steps));
    }
  }

  private static Backoff.@Nullable Step step(Value value, boolean last) {
    Fields fields = value.fields();
    if (fields == null) {
      return null;
    }
    Integer count = BackoffForm.count(fields, last);
    Value minutes = fields.required("delay_minutes");
    Duration delay = minutes == null ? null : minutes.delayIn(ChronoUnit.MINUTES);
    fields.refuseOthers();
    return count == null || delay == null ? null : new Backoff.Step(count, delay);
  }
}
