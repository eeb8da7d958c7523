// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Jitter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Reads the ladder dialect: an array of steps with delays in minutes, without jitter. */
final class LadderDialect {

  private LadderDialect() {}

  static void read(JsonValueReader array, PolicyParseState state) {
    state.draft().jitter(Jitter.none());
    List.of("jitter", "max_retries", "retry_on[0]", "backoff", "backoff.steps")
        .forEach(field -> state.paths().map(field, ""));
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
      steps.add(step(items.get(i), i == items.size() - 1));
    }
    state.draft().backoff(new Backoff.Ladder(steps));
  }

  private static Backoff.Step step(JsonValueReader value, boolean last) {
    JsonObjectReader object = value.object();
    if (object == null) {
      return new Backoff.Step(1, BackoffReader.UNREADABLE);
    }
    int count = BackoffReader.count(object, last);
    JsonValueReader minutes = object.required("delay_minutes");
    Duration delay = minutes == null ? null : minutes.positiveDurationIn(ChronoUnit.MINUTES);
    object.rejectUnknown();
    return new Backoff.Step(count, BackoffReader.orUnreadable(delay));
  }
}
