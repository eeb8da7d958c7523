// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Tasks that are due and that nobody takes: the first thing a newcomer wonders about. */
public final class UnclaimedHint {

  private static final Duration THRESHOLD = Duration.ofSeconds(10);
  private static final int MAX_KINDS_SHOWN = 3;

  private UnclaimedHint() {}

  /** What to do about those among these tasks; empty when there are none. */
  public static Optional<String> of(List<JsonNode> tasks, Instant now) {
    List<String> kinds =
        tasks.stream()
            .map(JsonView::new)
            .filter(task -> isUnclaimed(task, now))
            .map(task -> task.text("kind"))
            .distinct()
            .limit(MAX_KINDS_SHOWN + 1)
            .toList();
    if (kinds.isEmpty()) {
      return Optional.empty();
    }
    List<String> named = kinds.subList(0, Math.min(MAX_KINDS_SHOWN, kinds.size()));
    return Optional.of(
        "%s%s: due for more than %s, and nobody takes it."
                .formatted(
                    String.join(", ", named),
                    kinds.size() > MAX_KINDS_SHOWN ? ", …" : "",
                    ShortDuration.of(THRESHOLD))
            + " A task without on_start waits for a worker that asks for its kind:"
            + " see docs/guides/remote-workers.md");
  }

  private static boolean isUnclaimed(JsonView task, Instant now) {
    Instant due = task.instant("run_at");
    return task.text("status").equals("Pending")
        && !task.isTrue("parked")
        && due != null
        && due.plus(THRESHOLD).isBefore(now);
  }
}
