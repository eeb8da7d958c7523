// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A batch as the server shows it. Only {@link BatchClient#get} fills in {@code runs}, {@code
 * nextRunAt}, the totals, {@code progress}, {@code stoppedAt}, {@code retry} and {@code context};
 * only lists have {@code kinds}.
 *
 * @param run the number of the current run, from 0
 * @param runs all runs, the first one first
 * @param nextRunAt when the batch runs again as its policy says; null when it does not
 * @param totalTasks the tasks of the current run
 * @param statusCounts how many of them show each status; statuses without tasks may be missing
 * @param kinds the kinds of the tasks
 * @param totalSuccess items of work done, as reported by progress
 * @param totalFailures items of work that failed, as reported by progress
 * @param totalExpected the items of work expected; null when no task says so
 * @param progress from 0 to 1; null when it is unknown
 * @param endedAt when the last task of the current run ended; null while one has not
 * @param stoppedAt when an operator stopped it
 * @param retry the batch's own retry policy
 * @param context the JSON that was submitted for the whole batch
 */
public record BatchInfo(
    UUID id,
    @Nullable String name,
    long run,
    List<BatchRunInfo> runs,
    @Nullable Instant nextRunAt,
    long totalTasks,
    Map<TaskStatus, Long> statusCounts,
    List<String> kinds,
    long totalSuccess,
    long totalFailures,
    @Nullable Long totalExpected,
    @Nullable Double progress,
    Instant createdAt,
    Instant lastUpdated,
    @Nullable Instant endedAt,
    @Nullable Instant stoppedAt,
    @Nullable JsonNode retry,
    @Nullable JsonNode context) {

  public BatchInfo {
    runs = List.copyOf(runs);
    kinds = List.copyOf(kinds);
    statusCounts = Collections.unmodifiableMap(statusCounts);
  }

  /** Reads a batch; throws a RuntimeException when the JSON is not a batch. */
  public static BatchInfo of(JsonNode json) {
    JsonFields batch = new JsonFields(json);
    return new BatchInfo(
        batch.required("batch_id", batch::id),
        batch.text("name"),
        batch.required("run", batch::number),
        batch.list("runs", BatchRunInfo::of),
        batch.instant("next_run_at"),
        batch.required("total_tasks", batch::number),
        statusCounts(batch),
        batch.texts("kinds"),
        batch.count("total_success"),
        batch.count("total_failures"),
        batch.number("total_expected"),
        batch.decimal("progress"),
        batch.required("created_at", batch::instant),
        batch.required("last_updated", batch::instant),
        batch.instant("ended_at"),
        batch.instant("stopped_at"),
        batch.node("retry"),
        batch.node("context"));
  }

  private static Map<TaskStatus, Long> statusCounts(JsonFields batch) {
    Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
    batch
        .counts("status_counts")
        .forEach((status, count) -> counts.merge(TaskStatus.of(status), count, Long::sum));
    return counts;
  }

  /** How many tasks of the current run show this status. */
  public long count(TaskStatus status) {
    return statusCounts.getOrDefault(status, 0L);
  }

  /**
   * Whether the batch is over: its current run has an outcome, and no further run waits. Only for a
   * batch with {@code runs}. A task that is retried by hand reopens it.
   */
  public boolean isFinal() {
    return nextRunAt == null && !runs.isEmpty() && runs.getLast().outcome() != null;
  }

  /** How many tasks of the current run have not ended. */
  public long live() {
    return statusCounts.entrySet().stream()
        .filter(entry -> !entry.getKey().isEnded())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
