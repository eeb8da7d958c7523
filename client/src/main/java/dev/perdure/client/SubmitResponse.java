// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The receipt of a submission.
 *
 * @param batchId the batch that the tasks belong to; if all are duplicates, that of the first
 * @param tasks the tasks in the order they were submitted, and live tasks in the place of their
 *     duplicates
 * @param replayed true when the server had already accepted this submission under the same
 *     idempotency key
 * @param duplicates the positions in {@code tasks} of live tasks that existed before
 */
public record SubmitResponse(
    UUID batchId, List<TaskInfo> tasks, boolean replayed, Set<Integer> duplicates) {

  public SubmitResponse {
    tasks = List.copyOf(tasks);
    duplicates = Set.copyOf(duplicates);
  }

  /** The receipt of a submission without duplicates. */
  public SubmitResponse(UUID batchId, List<TaskInfo> tasks, boolean replayed) {
    this(batchId, tasks, replayed, Set.of());
  }

  /**
   * True if the task at this position was not stored, because a live task has its dedupe key;
   * {@code tasks} has that task there.
   */
  public boolean isDuplicate(int position) {
    return duplicates.contains(position);
  }

  /** Reads the response to a submission. */
  public static SubmitResponse of(ApiResponse response) {
    Page<TaskInfo> tasks = response.requireResult().page(TaskInfo::of);
    UUID batch =
        response.read(
            body ->
                UUID.fromString(
                    response
                        .headers()
                        .firstValue("X-Batch-ID")
                        .orElseGet(() -> body.path(0).path("batch_id").asString(""))));
    boolean replayed = response.headers().firstValue("Idempotency-Replayed").isPresent();
    Set<Integer> duplicates =
        IntStream.range(0, tasks.items().size())
            .filter(i -> response.json().path(i).path("deduplicated").asBoolean(false))
            .boxed()
            .collect(Collectors.toSet());
    return new SubmitResponse(batch, tasks.items(), replayed, duplicates);
  }
}
