// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A task of a schedule that has failed and will be, or is being, tried again; or a whole batch that
 * waits for its next run.
 *
 * @param task null for a batch
 * @param status the status of the task
 * @param attempt the number of the current or next attempt, from 0
 * @param badge the position in the policy, such as {@code attempt 3/5, step 1/3}; null for a task
 *     that was revived
 * @param nextRetryAt null while the retry runs
 */
public record RetryUnderWay(
    @Nullable UUID task,
    UUID batchId,
    String status,
    long attempt,
    @Nullable String badge,
    @Nullable Instant nextRetryAt,
    @Nullable String failureKind,
    @Nullable String failureReason,
    @Nullable String failureCode) {

  static RetryUnderWay of(JsonNode json) {
    JsonFields retry = new JsonFields(json);
    return new RetryUnderWay(
        retry.id("task"),
        retry.required("batch_id", retry::id),
        retry.required("status", retry::text),
        retry.required("attempt", retry::number),
        retry.text("badge"),
        retry.instant("next_retry_at"),
        retry.text("failure_kind"),
        retry.text("failure_reason"),
        retry.text("failure_code"));
  }
}
