// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Tasks that are due and that nobody takes: the first thing a newcomer wonders about. */
public final class Unclaimed {

  private static final Duration LONG = Duration.ofSeconds(10);
  private static final int MOST_KINDS = 3;

  private Unclaimed() {}

  /** What to do about those among these tasks; empty when there are none. */
  public static Optional<String> hint(List<JsonNode> tasks, Instant now) {
    List<String> kinds =
        tasks.stream()
            .map(Shown::new)
            .filter(task -> isUnclaimed(task, now))
            .map(task -> task.text("kind"))
            .distinct()
            .limit(MOST_KINDS + 1)
            .toList();
    if (kinds.isEmpty()) {
      return Optional.empty();
    }
    List<String> named = kinds.subList(0, Math.min(MOST_KINDS, kinds.size()));
    return Optional.of(
        "%s%s: due for more than %s, and nobody takes it."
                .formatted(
                    String.join(", ", named),
                    kinds.size() > MOST_KINDS ? ", …" : "",
                    BriefTime.of(LONG))
            + " A task without on_start waits for a worker that asks for its kind:"
            + " see docs/guides/remote-workers.md");
  }

  private static boolean isUnclaimed(Shown task, Instant now) {
    Instant due = task.instant("run_at");
    return task.text("status").equals("Pending")
        && !task.isTrue("parked")
        && due != null
        && due.plus(LONG).isBefore(now);
  }
}
