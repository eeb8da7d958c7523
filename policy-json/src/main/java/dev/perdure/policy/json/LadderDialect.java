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

  static void read(JsonValueReader array, PolicyReadState policyReadState) {
    policyReadState.draft().jitter(Jitter.none());
    policyReadState.pathTranslator().map("backoff.steps", "");
    List<JsonValueReader> items = array.array(Backoff.MAX_ENTRIES);
    if (items == null) {
      return;
    }
    if (items.isEmpty()) {
      array.addError("is an empty array: a ladder needs at least one step, and null never retries");
      return;
    }
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      policyReadState
          .pathTranslator()
          .map("backoff.steps[" + i + "].delay", items.get(i).path() + ".delay_minutes");
      Backoff.Step step = step(items.get(i), i == items.size() - 1);
      if (step != null) {
        steps.add(step);
      }
    }
    if (steps.size() == items.size()) {
      policyReadState.draft().backoff(new Backoff.Ladder(steps));
    }
  }

  private static Backoff.@Nullable Step step(JsonValueReader jsonValueReader, boolean last) {
    JsonObjectReader jsonObjectReader = jsonValueReader.object();
    if (jsonObjectReader == null) {
      return null;
    }
    Integer count = BackoffReader.count(jsonObjectReader, last);
    JsonValueReader minutes = jsonObjectReader.required("delay_minutes");
    Duration delay = minutes == null ? null : minutes.positiveDurationIn(ChronoUnit.MINUTES);
    jsonObjectReader.rejectUnknown();
    return count == null || delay == null ? null : new Backoff.Step(count, delay);
  }
}
