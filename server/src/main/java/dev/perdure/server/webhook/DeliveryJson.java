// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.policy.Failure;
import dev.perdure.server.http.InstantText;
import java.time.Instant;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes deliveries, without the secrets in them. */
public final class DeliveryJson {

  private DeliveryJson() {}

  public static ObjectNode of(Delivery delivery) {
    WebhookMessage webhookMessage = WebhookMessage.parse(delivery.message().request());
    // What has arrived in the end has not failed.
    Delivery.DeliveryFailure deliveryFailure =
        delivery.state() == DeliveryState.SENT ? null : delivery.lastFailure();
    Instant sendingUntil = delivery.times().leaseUntil();
    boolean waits = delivery.state() == DeliveryState.PENDING && sendingUntil == null;
    int status = deliveryFailure == null ? Failure.NO_STATUS : deliveryFailure.status();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", delivery.id().toString())
            .put("task_id", delivery.task().toString())
            .put("batch_id", delivery.batch().toString())
            .put("trigger", delivery.message().trigger())
            .put("state", delivery.state().text())
            .put("attempt", delivery.attempt())
            .put("task_attempt", webhookMessage.task().attempt())
            .put("created_at", InstantText.of(delivery.times().createdAt()))
            .put("due_at", waits ? InstantText.of(delivery.times().dueAt()) : null)
            .put("sending_until", InstantText.of(sendingUntil))
            .put("ended_at", InstantText.of(delivery.times().endedAt()))
            .put("last_updated", InstantText.of(delivery.times().updatedAt()))
            .put("failure_kind", deliveryFailure == null ? null : deliveryFailure.kind())
            .put("failure_status", status == Failure.NO_STATUS ? null : (Integer) status)
            .put("failure_reason", deliveryFailure == null ? null : deliveryFailure.message());
    json.set("action", webhookMessage.redactedAction());
    return json;
  }
}
