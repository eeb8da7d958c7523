// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What became of a task when one of its attempts was settled: after a failure it is {@code
 * RETRY_PENDING} with the time of the next attempt, or {@code FAILURE} with the reason for giving
 * up.
 *
 * @param task the task's id
 * @param attempt the number of the attempt that comes next, or of the last one
 * @param retriesLeft null for unlimited
 */
public record AttemptResult(
    UUID task,
    TaskStatus status,
    long attempt,
    @Nullable Instant nextRetryAt,
    @Nullable Long retriesLeft,
    @Nullable String giveUpReason) {

  static AttemptResult of(JsonNode json) {
    JsonFields task = new JsonFields(json);
    return new AttemptResult(
        task.required("id", task::id),
        TaskStatus.of(task.required("status", task::text)),
        task.required("attempt", task::number),
        task.instant("next_retry_at"),
        task.number("retries_left"),
        task.text("give_up_reason"));
  }
}
