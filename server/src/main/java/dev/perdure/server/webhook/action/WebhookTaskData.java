// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The task's data that a body template can use.
 *
 * @param status as the API writes it, such as {@code RetryPending}
 * @param attempt the attempt that the event is about, numbered from 0
 * @param nextRetryAt when the next attempt is due; null when no retry is scheduled
 * @param batch true when the event is about a batch, and the id and the attempt are its id and run
 * @param endedAt when the batch ended; null for a task
 */
public record WebhookTaskData(
    UUID id,
    String status,
    long attempt,
    @Nullable String failureReason,
    @Nullable Instant nextRetryAt,
    boolean batch,
    @Nullable Instant endedAt) {

  /** The data of a task. */
  public WebhookTaskData(
      UUID id,
      String status,
      long attempt,
      @Nullable String failureReason,
      @Nullable Instant nextRetryAt) {
    this(id, status, attempt, failureReason, nextRetryAt, false, null);
  }

  /** The data of a batch, whose run takes the place of the attempt. */
  public static WebhookTaskData ofBatch(
      UUID id, String status, int run, @Nullable String failureReason) {
    return new WebhookTaskData(id, status, run, failureReason, null, true, null);
  }

  public WebhookTaskData withNextRetryAt(Instant value) {
    return new WebhookTaskData(id, status, attempt, failureReason, value, batch, endedAt);
  }

  /** The idempotency key needs it: one run of a batch can end several times. */
  public WebhookTaskData withEndedAt(Instant value) {
    return new WebhookTaskData(id, status, attempt, failureReason, nextRetryAt, batch, value);
  }
}
