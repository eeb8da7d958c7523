// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One outgoing webhook other than {@code on_start}, or one notification.
 *
 * @param trigger such as {@code on_failure}; {@code notify} for a notification
 * @param state {@code pending}, {@code sent} or {@code dead}
 * @param attempt how often it was sent without success
 * @param taskAttempt the attempt of the task that it reports
 * @param action the webhook, with its secrets redacted; null for a notification
 * @param channel the channel of a notification; null for a webhook
 * @param text the text of a notification; null for a webhook
 */
public record DeliveryInfo(
    UUID id,
    UUID taskId,
    UUID batchId,
    String trigger,
    String state,
    long attempt,
    long taskAttempt,
    Instant createdAt,
    @Nullable Instant dueAt,
    @Nullable Instant sendingUntil,
    @Nullable Instant endedAt,
    Instant lastUpdated,
    @Nullable String failureKind,
    @Nullable Long failureStatus,
    @Nullable String failureReason,
    @Nullable JsonNode action,
    @Nullable String channel,
    @Nullable String text) {

  /** Reads the server's JSON. */
  public static DeliveryInfo of(JsonNode json) {
    JsonFields delivery = new JsonFields(json);
    return new DeliveryInfo(
        delivery.required("id", delivery::id),
        delivery.required("task_id", delivery::id),
        delivery.required("batch_id", delivery::id),
        delivery.required("trigger", delivery::text),
        delivery.required("state", delivery::text),
        delivery.required("attempt", delivery::number),
        delivery.required("task_attempt", delivery::number),
        delivery.required("created_at", delivery::instant),
        delivery.instant("due_at"),
        delivery.instant("sending_until"),
        delivery.instant("ended_at"),
        delivery.required("last_updated", delivery::instant),
        delivery.text("failure_kind"),
        delivery.number("failure_status"),
        delivery.text("failure_reason"),
        delivery.node("action"),
        delivery.text("channel"),
        delivery.text("text"));
  }
}
