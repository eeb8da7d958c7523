// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.InstantText;
import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.action.WebhookTaskData;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The content of one delivery: its action and the task's data at the time of the event.
 *
 * @param index the index of the action within its trigger, part of the idempotency key
 * @param storedAction this action alone, in its stored form
 * @param retryIn the delay before the next attempt, counted from the event; null for no retry
 * @param summary the task as JSON; a JSON null when the action does not send it
 * @param trace the span of the attempt that the delivery reports on
 */
public record WebhookMessage(
    ActionTrigger trigger,
    int index,
    JsonNode storedAction,
    WebhookTaskData task,
    @Nullable Duration retryIn,
    JsonNode summary,
    TraceContext trace) {

  /**
   * The message for the outbox.
   *
   * @param name the trigger name of the delivery
   */
  DeliveryMessage toDeliveryMessage(String name) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("trigger", trigger.field())
            .put("index", index)
            .put("task", task.id().toString())
            .put("status", task.status())
            .put("attempt", task.attempt())
            .put("failure_reason", task.failureReason())
            .put("batch", task.batch())
            .put("retry_in_ms", retryIn == null ? null : (Long) retryIn.toMillis())
            .put("trace", trace.text());
    json.set("summary", summary);
    json.set("actions", storedAction);
    return new DeliveryMessage(name, json.toString());
  }

  public static WebhookMessage parse(String request) {
    JsonNode json = StoredActions.parse(request);
    return new WebhookMessage(
        ActionTrigger.of(json.get("trigger").stringValue()),
        json.get("index").intValue(),
        json.get("actions"),
        new WebhookTaskData(
            UUID.fromString(json.get("task").stringValue()),
            json.get("status").stringValue(),
            json.get("attempt").longValue(),
            text(json.get("failure_reason")),
            null,
            json.path("batch").asBoolean(false),
            null),
        json.hasNonNull("retry_in_ms")
            ? Duration.ofMillis(json.get("retry_in_ms").longValue())
            : null,
        json.get("summary"),
        requireNonNull(TraceContext.ofText(json.get("trace").stringValue())));
  }

  /**
   * A copy that says when the batch ended, or when the next attempt is due. Only the store knows
   * when the event happened, because it writes both with its own clock.
   */
  WebhookMessage at(Instant event) {
    if (task.batch()) {
      return new WebhookMessage(
          trigger, index, storedAction, task.withEndedAt(event), retryIn, summary, trace);
    }
    if (retryIn == null) {
      return this;
    }
    Instant next = event.plus(retryIn);
    JsonNode complete =
        summary instanceof ObjectNode object
            ? object.deepCopy().put(TaskSummary.NEXT_RETRY_AT, InstantText.of(next))
            : summary;
    return new WebhookMessage(
        trigger, index, storedAction, task.withNextRetryAt(next), retryIn, complete, trace);
  }

  private static @Nullable String text(JsonNode json) {
    return json.isNull() ? null : json.stringValue();
  }

  /** The action without its secrets. */
  public JsonNode redactedAction() {
    return StoredActions.redacted(storedAction.toString()).get(trigger.field()).get(0);
  }
}
