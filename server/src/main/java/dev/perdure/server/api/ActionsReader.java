// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.webhook.StoredActions;
import dev.perdure.server.webhook.Webhooks;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.Trigger;
import dev.perdure.server.webhook.action.WebhookAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads whom a task calls when it starts, and whom it tells how it went. */
final class ActionsReader {

  /** How long an attempt that is a call may be silent unless the task says otherwise. */
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration TIMEOUT_MARGIN = Duration.ofSeconds(5);
  private static final int MAX_PER_TRIGGER = 20;

  /**
   * In UTF-8, so that sealed texts fit into a task too: those are a third longer, and what may be
   * shown stands beside them.
   */
  private static final int MAX_BYTES = 384 << 10;

  private static final Set<Trigger> NOTIFICATION_TRIGGERS =
      EnumSet.complementOf(EnumSet.of(Trigger.START));

  private final ActionJson reader;
  private final StoredActions kept;

  ActionsReader(Webhooks webhooks) {
    this.reader = webhooks.reader();
    this.kept = webhooks.storedActions();
  }

  /** The task with its actions; what is wrong with them is among the problems. */
  NewTask read(NewTask task, JsonValueReader of, JsonObjectReader fields) {
    int before = of.errors().count();
    ObjectNode given = JsonNodeFactory.instance.objectNode();
    JsonValueReader start = fields.nonNull(Trigger.START.field());
    WebhookAction call = start == null ? null : readStart(start, given);
    NOTIFICATION_TRIGGERS.forEach(
        trigger -> readNotifications(fields.nonNull(trigger.field()), trigger, given));
    int bytes = given.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      of.addError(
          "its webhooks have %d bytes of JSON in all, at most %d are allowed"
              .formatted(bytes, MAX_BYTES));
    }
    if (given.isEmpty() || of.errors().count() > before) {
      return task;
    }
    NewTask wired = task.actions(kept.serialize(given));
    if (call == null) {
      return wired;
    }
    NewTask laned = wired.queue(Webhooks.QUEUE);
    return fields.nonNull("timeout") == null ? laned.timeout(attemptTimeout(call)) : laned;
  }

  private @Nullable WebhookAction readStart(JsonValueReader start, ObjectNode given) {
    given.set(Trigger.START.field(), start.json());
    return reader.read(start.json(), start.path(), Trigger.START, start.errors());
  }

  private void readNotifications(
      @Nullable JsonValueReader value, Trigger trigger, ObjectNode given) {
    List<JsonValueReader> items = value == null ? null : value.array(MAX_PER_TRIGGER);
    if (value == null || items == null || items.isEmpty()) {
      return;
    }
    items.forEach(item -> reader.read(item.json(), item.path(), trigger, item.errors()));
    given.set(trigger.field(), value.json());
  }

  /** A call that may take longer than the usual silence must not be taken for it. */
  private static Duration attemptTimeout(WebhookAction call) {
    Duration patient = call.timeout().plus(TIMEOUT_MARGIN);
    return patient.compareTo(DEFAULT_TIMEOUT) > 0 ? patient : DEFAULT_TIMEOUT;
  }
}
