// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.json.Fields;
import dev.perdure.policy.json.Value;
import dev.perdure.server.webhook.KeptActions;
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
final class ActionsForm {

  /** How long an attempt that is a call may be silent unless the task says otherwise. */
  static final Duration USUAL_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration SLACK = Duration.ofSeconds(5);
  private static final int MOST_OF_A_TRIGGER = 20;

  /**
   * In UTF-8, so that sealed texts fit into a task too: those are a third longer, and what may be
   * shown stands beside them.
   */
  private static final int MOST_BYTES = 384 << 10;

  private static final Set<Trigger> TELLING = EnumSet.complementOf(EnumSet.of(Trigger.START));

  private final ActionJson reader;
  private final KeptActions kept;

  ActionsForm(Webhooks webhooks) {
    this.reader = webhooks.reader();
    this.kept = webhooks.kept();
  }

  /** The task with its actions; what is wrong with them is among the problems. */
  NewTask read(NewTask task, Value of, Fields fields) {
    int before = of.problems().count();
    ObjectNode given = JsonNodeFactory.instance.objectNode();
    Value start = fields.given(Trigger.START.field());
    WebhookAction call = start == null ? null : call(start, given);
    TELLING.forEach(trigger -> tell(fields.given(trigger.field()), trigger, given));
    int bytes = given.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      of.wrong(
          "its webhooks have %d bytes of JSON in all, at most %d are allowed"
              .formatted(bytes, MOST_BYTES));
    }
    if (given.isEmpty() || of.problems().count() > before) {
      return task;
    }
    NewTask wired = task.actions(kept.keep(given));
    if (call == null) {
      return wired;
    }
    NewTask laned = wired.lane(Webhooks.LANE);
    return fields.given("timeout") == null ? laned.timeout(silence(call)) : laned;
  }

  private @Nullable WebhookAction call(Value start, ObjectNode given) {
    given.set(Trigger.START.field(), start.json());
    return reader.read(start.json(), start.path(), Trigger.START, start.problems());
  }

  private void tell(@Nullable Value value, Trigger trigger, ObjectNode given) {
    List<Value> items = value == null ? null : value.items(MOST_OF_A_TRIGGER);
    if (value == null || items == null || items.isEmpty()) {
      return;
    }
    items.forEach(item -> reader.read(item.json(), item.path(), trigger, item.problems()));
    given.set(trigger.field(), value.json());
  }

  /** A call that may take longer than the usual silence must not be taken for it. */
  private static Duration silence(WebhookAction call) {
    Duration patient = call.timeout().plus(SLACK);
    return patient.compareTo(USUAL_TIMEOUT) > 0 ? patient : USUAL_TIMEOUT;
  }
}
