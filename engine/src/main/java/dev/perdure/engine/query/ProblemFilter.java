// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.policy.InstantText;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parameters of {@code GET /task} that list the tasks of a problem. */
final class ProblemFilter {

  static final Map<String, String> PARKED = Map.of("parked", "true");
  static final Map<String, String> RETRIES = Map.of("status", "RetryPending");

  private ProblemFilter() {}

  /** Tasks of a kind whose last attempt failed. */
  static Map<String, String> failing(String kind) {
    return Map.of("kind", exactly(kind), "status", "Failure,RetryPending");
  }

  /** The tasks that were due when they were counted; of any kind if it is null. */
  static Map<String, String> due(Census census, @Nullable String kind) {
    Map<String, String> filter = new HashMap<>();
    filter.put("status", "Pending,RetryPending");
    filter.put("due_before", text(census.at().plusMillis(1)));
    if (kind != null) {
      filter.put("kind", exactly(kind));
    }
    return filter;
  }

  /** The retries of one bucket, without those that are overdue. */
  static Map<String, String> wave(RetryWave wave, RetryWave.Peak peak) {
    Instant after = peak.at().isBefore(wave.now()) ? wave.now() : peak.at().minusMillis(1);
    Map<String, String> filter = new HashMap<>(RETRIES);
    filter.put("due_after", text(after));
    filter.put("due_before", text(peak.at().plus(wave.step())));
    return filter;
  }

  /** The tasks that failed recently. */
  static Map<String, String> failed(Instant now) {
    return Map.of("status", "Failure", "ended_after", text(now.minus(ProblemRules.RECENT)));
  }

  private static String exactly(String kind) {
    return "=" + kind;
  }

  private static String text(Instant instant) {
    return String.valueOf(InstantText.of(instant));
  }
}
