// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Jitter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the ladder dialect: an array of steps with delays in minutes, without jitter. */
final class LadderDialect {

  private LadderDialect() {}

  static void read(JsonValueReader array, PolicyParseState state) {
    state.draft().jitter(Jitter.none());
    state.paths().map("backoff.steps", "");
    List<JsonValueReader> items = array.array(Backoff.MAX_ENTRIES);
    if (items == null) {
      return;
    }
    if (items.isEmpty()) {
      array.addError(
          "is an empty array: a ladder needs at least one step; for no retries, use null");
      return;
    }
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      state.paths().map("backoff.steps[" + i + "].delay", items.get(i).path() + ".delay_minutes");
      Backoff.Step step = step(items.get(i), i == items.size() - 1);
      if (step != null) {
        steps.add(step);
      }
    }
    if (steps.size() == items.size()) {
      state.draft().backoff(new Backoff.Ladder(steps));
    }
  }

  private static Backoff.@Nullable Step step(JsonValueReader value, boolean last) {
    JsonObjectReader object = value.object();
    if (object == null) {
      return null;
    }
    Integer count = BackoffReader.count(object, last);
    JsonValueReader minutes = object.required("delay_minutes");
    Duration delay = minutes == null ? null : minutes.positiveDurationIn(ChronoUnit.MINUTES);
    object.rejectUnknown();
    return count == null || delay == null ? null : new Backoff.Step(count, delay);
  }
}
