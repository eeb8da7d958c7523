// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.task.Delivery;
import dev.perdure.policy.Failure;
import dev.perdure.server.webhook.StoredActions;
import dev.perdure.server.webhook.WebhookMessage;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * What dead deliveries are grouped by.
 *
 * @param host the host of the webhook, with its port if the address has one; null for a
 *     notification
 * @param status the HTTP status of the last response; null without one
 * @param failureKind how the last attempt failed
 */
record DeadDelivery(@Nullable String host, @Nullable Integer status, @Nullable String failureKind) {

  static DeadDelivery of(Delivery delivery) {
    Delivery.DeliveryFailure failure = delivery.lastFailure();
    return new DeadDelivery(
        host(delivery),
        failure == null || failure.status() == Failure.NO_STATUS ? null : failure.status(),
        failure == null ? null : failure.kind());
  }

  private static @Nullable String host(Delivery delivery) {
    if (delivery.message().trigger().equals(StoredActions.NOTIFY)) {
      return null;
    }
    String url =
        WebhookMessage.parse(delivery.message().request())
            .redactedAction()
            .path("params")
            .path("url")
            .asString("");
    try {
      URI address = new URI(url);
      String host = address.getHost();
      return host == null || address.getPort() < 0 ? host : host + ":" + address.getPort();
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
