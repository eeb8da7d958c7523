// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A hint about tasks that are due but that no worker claims, a common problem of beginners. */
public final class UnclaimedHint {

  private static final Duration THRESHOLD = Duration.ofSeconds(10);
  private static final int MAX_KINDS_SHOWN = 3;

  private UnclaimedHint() {}

  /** The hint; empty when every one of these tasks is claimed in time. */
  public static Optional<String> of(List<TaskInfo> tasks, Instant now) {
    List<String> kinds =
        tasks.stream()
            .filter(task -> isUnclaimed(task, now))
            .map(TaskInfo::kind)
            .distinct()
            .limit(MAX_KINDS_SHOWN + 1)
            .toList();
    if (kinds.isEmpty()) {
      return Optional.empty();
    }
    List<String> named = kinds.subList(0, Math.min(MAX_KINDS_SHOWN, kinds.size()));
    return Optional.of(
        "No worker has claimed %s%s for more than %s."
                .formatted(
                    String.join(", ", named),
                    kinds.size() > MAX_KINDS_SHOWN ? ", …" : "",
                    ShortDuration.of(THRESHOLD))
            + " A task without on_start waits for a worker that claims its kind;"
            + " see docs/guides/remote-workers.md."
            + " A task with limits may wait for one of them; perdure show says which.");
  }

  /** Prints the hint, if there is one. */
  static void print(TerminalWriter writer, List<TaskInfo> tasks, Instant now) {
    of(tasks, now)
        .ifPresent(
            hint -> {
              writer.blank();
              writer.paragraph(hint, AnsiStyle.WARNING);
            });
  }

  private static boolean isUnclaimed(TaskInfo task, Instant now) {
    return task.status() == TaskStatus.PENDING && task.runAt().plus(THRESHOLD).isBefore(now);
  }
}
