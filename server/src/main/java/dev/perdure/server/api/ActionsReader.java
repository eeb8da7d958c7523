// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.json.JsonObjectReader;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.notify.Channels;
import dev.perdure.server.webhook.StoredActions;
import dev.perdure.server.webhook.Webhooks;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.action.BodyTemplate;
import dev.perdure.server.webhook.action.WebhookAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the webhooks of a task or a batch, {@code on_start}, {@code on_success} and so on, and its
 * {@code notify}.
 */
final class ActionsReader {

  /** The inactivity timeout of a webhook task that sets none. */
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration TIMEOUT_MARGIN = Duration.ofSeconds(5);
  private static final int MAX_PER_TRIGGER = 20;

  /**
   * Limit for a task's actions, in bytes of UTF-8. It leaves room for encryption: encrypted actions
   * are a third longer, and a redacted copy is stored beside them.
   */
  private static final int MAX_BYTES = 384 << 10;

  private final ActionJson reader;
  private final StoredActions storedActions;
  private final NotifyReader notifyReader;

  ActionsReader(Webhooks webhooks, Channels channels) {
    this.reader = webhooks.reader();
    this.storedActions = webhooks.storedActions();
    this.notifyReader = new NotifyReader(channels);
  }

  /**
   * Adds the actions in {@code fields} to the task. Problems are added to the errors of {@code
   * json}; the task is then returned without actions.
   *
   * @param parents the tasks that the task depends on, as it names them
   */
  NewTask read(NewTask task, JsonValueReader json, JsonObjectReader fields, Set<String> parents) {
    int before = json.errors().count();
    ObjectNode given = JsonNodeFactory.instance.objectNode();
    JsonValueReader start = fields.nonNull(ActionTrigger.START.field());
    WebhookAction call = start == null ? null : readStart(start, given, parents);
    ActionTrigger.OF_TASKS.forEach(
        trigger -> readWebhooks(fields.nonNull(trigger.field()), trigger, given, parents));
    readNotify(fields, given);
    requireShort(json, given, "the webhooks and notifications of a task");
    if (given.isEmpty() || json.errors().count() > before) {
      return task;
    }
    NewTask withActions = task.actions(storedActions.serialize(given));
    if (call == null) {
      return withActions;
    }
    NewTask queued = withActions.queue(Webhooks.QUEUE);
    return fields.nonNull("timeout") == null ? queued.timeout(attemptTimeout(call)) : queued;
  }

  /**
   * The actions of a batch as they are stored; null when there are none, and when there are
   * problems, which are added to the errors of {@code json}.
   */
  @Nullable String readBatch(JsonValueReader json, JsonObjectReader fields) {
    int before = json.errors().count();
    ObjectNode given = JsonNodeFactory.instance.objectNode();
    ActionTrigger.OF_BATCHES.forEach(
        trigger -> readWebhooks(fields.nonNull(trigger.field()), trigger, given, Set.of()));
    readNotify(fields, given);
    requireShort(json, given, "the webhooks and notifications of a batch");
    return given.isEmpty() || json.errors().count() > before
        ? null
        : storedActions.serialize(given);
  }

  private static void requireShort(JsonValueReader json, ObjectNode given, String what) {
    int bytes = given.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      json.addError(
          "%s must have at most %d bytes of JSON in total, not %d"
              .formatted(what, MAX_BYTES, bytes));
    }
  }

  private @Nullable WebhookAction readStart(
      JsonValueReader start, ObjectNode given, Set<String> parents) {
    given.set(ActionTrigger.START.field(), start.json());
    return read(start, ActionTrigger.START, parents);
  }

  /** Reads an action; its body can only use the results of tasks that the task depends on. */
  private @Nullable WebhookAction read(
      JsonValueReader value, ActionTrigger trigger, Set<String> parents) {
    WebhookAction action = reader.read(value.json(), value.path(), trigger, value.errors());
    BodyTemplate body = action == null ? null : action.body();
    if (body != null && !parents.containsAll(body.parents())) {
      value
          .errors()
          .add(
              value.path() + ".params.body",
              "has a placeholder of 'parents' with an id that is not in the task's 'dependencies'");
    }
    return action;
  }

  private void readNotify(JsonObjectReader fields, ObjectNode given) {
    JsonValueReader value = fields.nonNull(StoredActions.NOTIFY);
    if (value != null) {
      notifyReader.check(value);
      given.set(StoredActions.NOTIFY, value.json());
    }
  }

  private void readWebhooks(
      @Nullable JsonValueReader value,
      ActionTrigger trigger,
      ObjectNode given,
      Set<String> parents) {
    List<JsonValueReader> items = value == null ? null : value.array(MAX_PER_TRIGGER);
    if (value == null || items == null || items.isEmpty()) {
      return;
    }
    items.forEach(item -> read(item, trigger, parents));
    given.set(trigger.field(), value.json());
  }

  /** The call's own timeout may be longer than the default: a slow call is not inactivity. */
  private static Duration attemptTimeout(WebhookAction call) {
    Duration callTimeout = call.timeout().plus(TIMEOUT_MARGIN);
    return callTimeout.compareTo(DEFAULT_TIMEOUT) > 0 ? callTimeout : DEFAULT_TIMEOUT;
  }
}
