// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.TaskTracer;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.webhook.action.Trigger;
import dev.perdure.server.webhook.action.WebhookTaskData;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells of ends and retries by the actions of the task; and tells a callee that works in vain to
 * stop, by the action that it answered its start with.
 */
final class WebhookDeliveryPlanner implements DeliveryPlanner {

  /** How deliveries that tell a callee to stop are named. */
  static final String CANCEL_ACTION = "cancel_action";

  private static final JsonNode NOTHING = JsonNodeFactory.instance.nullNode();

  /** Whoever was at work when these happen is at work still; so is who is entrusted too late. */
  private static final Set<TaskEvent> CANCELS_CALLEE =
      EnumSet.of(
          TaskEvent.HAND_OFF,
          TaskEvent.CANCEL,
          TaskEvent.TIME_OUT_AND_RETRY,
          TaskEvent.TIME_OUT_AND_GIVE_UP,
          TaskEvent.EXPIRE);

  private final TaskTracer tracer;

  /**
   * Announces.
   *
   * @param tracer says what spans the news come from
   */
  WebhookDeliveryPlanner(TaskTracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public List<DeliveryMessage> plan(Task before, TaskChange change) {
    String kept = before.definition().actions();
    if (kept == null) {
      return List.of();
    }
    JsonNode actions = StoredActions.parse(kept);
    List<DeliveryMessage> told = new ArrayList<>();
    cancelDelivery(before, change, actions).ifPresent(told::add);
    trigger(change.to())
        .ifPresent(trigger -> told.addAll(plannedDeliveries(before, change, trigger, actions)));
    return told;
  }

  private List<DeliveryMessage> plannedDeliveries(
      Task before, TaskChange change, Trigger trigger, JsonNode actions) {
    int count = StoredActions.count(actions, trigger);
    if (count == 0) {
      return List.of();
    }
    WebhookTaskData facts = facts(before, change, trigger);
    TraceContext trace = tracer.attemptParent(before);
    ObjectNode summary = TaskSummary.of(before, change, trigger.status());
    List<DeliveryMessage> told = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      JsonNode picked = StoredActions.select(actions, trigger, i);
      JsonNode sent = StoredActions.sendsSummary(picked, trigger) ? summary : NOTHING;
      told.add(
          new WebhookMessage(trigger, i, picked, facts, sent, trace)
              .toDeliveryMessage(trigger.field()));
    }
    return told;
  }

  private static WebhookTaskData facts(Task before, TaskChange change, Trigger trigger) {
    AttemptDetails note = change.attemptDetails();
    return new WebhookTaskData(
        before.id(),
        trigger.status(),
        before.retryCounters().attempt(),
        note == null ? null : note.message());
  }

  private static Optional<Trigger> trigger(TaskState to) {
    return switch (to) {
      case SUCCESS -> Optional.of(Trigger.SUCCESS);
      case FAILURE -> Optional.of(Trigger.FAILURE);
      case RETRY_PENDING -> Optional.of(Trigger.RETRY);
      case CANCELED -> Optional.of(Trigger.CANCEL);
      case WAITING, PENDING, CLAIMED, RUNNING -> Optional.empty();
    };
  }

  /** Its key follows those of the task's own {@code on_cancel}. */
  private Optional<DeliveryMessage> cancelDelivery(
      Task before, TaskChange change, JsonNode actions) {
    String kept = change.handsOff() ? change.cancelAction() : before.cancelAction();
    if (kept == null || !CANCELS_CALLEE.contains(change.event())) {
      return Optional.empty();
    }
    JsonNode picked = StoredActions.parse(kept);
    int index = StoredActions.count(actions, Trigger.CANCEL);
    WebhookTaskData facts = facts(before, change, trigger(change.to()).orElse(Trigger.CANCEL));
    return Optional.of(
        new WebhookMessage(
                Trigger.CANCEL, index, picked, facts, NOTHING, tracer.attemptParent(before))
            .toDeliveryMessage(CANCEL_ACTION));
  }
}
