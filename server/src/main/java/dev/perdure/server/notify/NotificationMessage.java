// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.server.webhook.StoredActions;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A notification in the outbox. It names its channel and has no address and no secret.
 *
 * @param attempt the attempt of the task, or the run of the batch
 * @param retryIn the delay before the next attempt or run, counted from the event; null for none
 */
public record NotificationMessage(
    String channel, NotifyEvent event, long attempt, String text, @Nullable Duration retryIn) {

  DeliveryMessage toDeliveryMessage() {
    return new DeliveryMessage(
        StoredActions.NOTIFY,
        JsonNodeFactory.instance
            .objectNode()
            .put("channel", channel)
            .put("event", event.text())
            .put("attempt", attempt)
            .put("text", text)
            .put("retry_in_ms", retryIn == null ? null : (Long) retryIn.toMillis())
            .toString());
  }

  public static NotificationMessage parse(String request) {
    JsonNode json = JsonMapper.shared().readTree(request);
    return new NotificationMessage(
        json.get("channel").stringValue(),
        NotifyEvent.of(json.get("event").stringValue()),
        json.get("attempt").longValue(),
        json.get("text").stringValue(),
        json.hasNonNull("retry_in_ms")
            ? Duration.ofMillis(json.get("retry_in_ms").longValue())
            : null);
  }

  /**
   * The whole text.
   *
   * @param created when the event happened, which only the store knows
   */
  public String textAt(Instant created) {
    return retryIn == null ? text : NotificationText.withNextTry(text, created.plus(retryIn));
  }
}
