// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.InstantText;
import dev.perdure.server.notify.NotificationMessage;
import dev.perdure.server.webhook.StoredActions;
import dev.perdure.server.webhook.WebhookMessage;
import java.time.Instant;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes deliveries as JSON, with their secrets redacted. */
final class DeliveryJson {

  private DeliveryJson() {}

  static ObjectNode of(Delivery delivery) {
    // A delivery that arrived on a later attempt shows no failure.
    Delivery.DeliveryFailure failure =
        delivery.state() == DeliveryState.SENT ? null : delivery.lastFailure();
    Instant sendingUntil = delivery.times().leaseUntil();
    boolean waiting = delivery.state() == DeliveryState.PENDING && sendingUntil == null;
    int status = failure == null ? Failure.NO_STATUS : failure.status();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", delivery.id().toString())
            .put("task_id", delivery.task().toString())
            .put("batch_id", delivery.batch().toString())
            .put("trigger", delivery.message().trigger())
            .put("state", delivery.state().text())
            .put("attempt", delivery.attempt())
            .put("created_at", InstantText.of(delivery.times().createdAt()))
            .put("due_at", waiting ? InstantText.of(delivery.times().dueAt()) : null)
            .put("sending_until", InstantText.of(sendingUntil))
            .put("ended_at", InstantText.of(delivery.times().endedAt()))
            .put("last_updated", InstantText.of(delivery.times().updatedAt()))
            .put("failure_kind", failure == null ? null : failure.kind())
            .put("failure_status", status == Failure.NO_STATUS ? null : (Integer) status)
            .put("failure_reason", failure == null ? null : failure.message());
    return delivery.message().trigger().equals(StoredActions.NOTIFY)
        ? withNotification(json, delivery)
        : withWebhook(json, delivery);
  }

  private static ObjectNode withWebhook(ObjectNode json, Delivery delivery) {
    WebhookMessage message = WebhookMessage.parse(delivery.message().request());
    json.put("task_attempt", message.task().attempt());
    json.set("action", message.redactedAction());
    return json.putNull("channel").putNull("text");
  }

  private static ObjectNode withNotification(ObjectNode json, Delivery delivery) {
    NotificationMessage message = NotificationMessage.parse(delivery.message().request());
    return json.put("task_attempt", message.attempt())
        .putNull("action")
        .put("channel", message.channel())
        .put("text", message.textAt(delivery.times().createdAt()));
  }
}
