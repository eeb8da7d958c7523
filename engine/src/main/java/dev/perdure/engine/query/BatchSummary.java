// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.DisplayStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch with the statistics of its tasks.
 *
 * @param run the current run, from 0; the statistics are about its tasks
 * @param runs all runs, the first one first; empty for a batch without retry policy and actions
 * @param updatedAt the last change of one of its tasks
 * @param endedAt when its last task ended; null while one has not
 * @param stoppedAt when an operator stopped it; null when none did
 * @param counts the number of tasks by status; without those that have none
 * @param success the sum of the tasks' counters of items done
 * @param failures the sum of the tasks' counters of failed items
 * @param expected the sum of the tasks' expected items; null when one task does not know its own
 * @param kinds the kinds of its tasks, sorted; at most {@link #MAX_KINDS}
 * @param capped true in a list when it has more tasks than were counted
 */
public record BatchSummary(
    UUID id,
    BatchDefinition definition,
    int run,
    List<BatchRun> runs,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant endedAt,
    @Nullable Instant stoppedAt,
    Map<DisplayStatus, Long> counts,
    long success,
    long failures,
    @Nullable Long expected,
    List<String> kinds,
    boolean capped) {

  /** Maximum number of kinds that are listed. */
  public static final int MAX_KINDS = 20;

  public BatchSummary {
    counts = Map.copyOf(counts);
    kinds = List.copyOf(kinds);
    runs = List.copyOf(runs);
  }

  public long tasks() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  public long count(DisplayStatus status) {
    return counts.getOrDefault(status, 0L);
  }
}
