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
 */
public record WebhookTaskData(
    UUID id,
    String status,
    long attempt,
    @Nullable String failureReason,
    @Nullable Instant nextRetryAt) {

  public WebhookTaskData withNextRetryAt(Instant value) {
    return new WebhookTaskData(id, status, attempt, failureReason, value);
  }
}
