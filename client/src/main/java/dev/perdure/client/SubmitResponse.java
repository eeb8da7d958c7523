// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.List;
import java.util.UUID;

/**
 * The receipt of a submission.
 *
 * @param batchId the batch that the tasks belong to
 * @param tasks the tasks in the order they were submitted
 * @param replayed true when the server had already accepted this submission under the same
 *     idempotency key
 */
public record SubmitResponse(UUID batchId, List<TaskInfo> tasks, boolean replayed) {

  public SubmitResponse {
    tasks = List.copyOf(tasks);
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
    return new SubmitResponse(batch, tasks.items(), replayed);
  }
}
