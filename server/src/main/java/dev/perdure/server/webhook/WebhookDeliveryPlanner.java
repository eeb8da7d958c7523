// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.TaskTracer;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.action.WebhookTaskData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plans the deliveries of a state change: the task's own actions for ends and retries, and the
 * cancel action with which a callee answered {@code on_start}, when its work has become useless.
 */
final class WebhookDeliveryPlanner implements DeliveryPlanner {

  /** The trigger name of deliveries that tell a callee to stop. */
  static final String CANCEL_ACTION = "cancel_action";

  private static final JsonNode NO_SUMMARY = JsonNodeFactory.instance.nullNode();

  /**
   * Events after which the callee may still be working. The planner sees HAND_OFF only when the
   * hand-off was refused because the attempt had already ended.
   */
  private static final Set<TaskEvent> CANCELS_CALLEE =
      EnumSet.of(
          TaskEvent.HAND_OFF,
          TaskEvent.CANCEL,
          TaskEvent.TIME_OUT_AND_RETRY,
          TaskEvent.TIME_OUT_AND_GIVE_UP,
          TaskEvent.EXPIRE);

  private final TaskTracer tracer;

  /**
   * @param tracer finds the span of the attempt that a delivery reports on
   */
  WebhookDeliveryPlanner(TaskTracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public List<DeliveryMessage> plan(Task before, TaskChange change) {
    String stored = before.definition().actions();
    if (stored == null) {
      return List.of();
    }
    JsonNode actions = StoredActions.parse(stored);
    List<DeliveryMessage> planned = new ArrayList<>();
    cancelDelivery(before, change, actions).ifPresent(planned::add);
    trigger(change.to())
        .ifPresent(trigger -> planned.addAll(triggerDeliveries(before, change, trigger, actions)));
    return planned;
  }

  @Override
  public List<DeliveryMessage> planBatchEnd(
      UUID batch,
      BatchDefinition definition,
      int run,
      BatchOutcome outcome,
      @Nullable RunFailure failure,
      @Nullable TaskGiveUpReason giveUpReason) {
    String stored = definition.actions();
    if (stored == null) {
      return List.of();
    }
    JsonNode actions = StoredActions.parse(stored);
    String status = DisplayStatus.valueOf(outcome.name()).toString();
    String reason = failure == null ? null : failure.reason();
    WebhookTaskData data = WebhookTaskData.ofBatch(batch, status, run, reason);
    ObjectNode summary =
        JsonNodeFactory.instance
            .objectNode()
            .put("batch_id", batch.toString())
            .put("name", definition.name())
            .put("run", run)
            .put("outcome", outcome.text())
            .put("failed_task", failure == null ? null : failure.task().toString())
            .put("failure_kind", failure == null ? null : failure.kind())
            .put("failure_reason", reason);
    List<DeliveryMessage> planned = new ArrayList<>();
    for (ActionTrigger trigger : triggers(outcome)) {
      planned.addAll(messages(trigger, actions, data, null, summary, TraceContext.ofBatch(batch)));
    }
    return planned;
  }

  private static List<ActionTrigger> triggers(BatchOutcome outcome) {
    return switch (outcome) {
      case SUCCESS -> List.of(ActionTrigger.SUCCESS, ActionTrigger.FINISHED);
      case FAILURE -> List.of(ActionTrigger.FAILURE, ActionTrigger.FINISHED);
      case CANCELED -> List.of(ActionTrigger.FINISHED);
    };
  }

  private List<DeliveryMessage> triggerDeliveries(
      Task before, TaskChange change, ActionTrigger trigger, JsonNode actions) {
    return StoredActions.count(actions, trigger) == 0
        ? List.of()
        : messages(
            trigger,
            actions,
            taskData(before, change, trigger),
            retryIn(change),
            TaskSummary.of(before, change, trigger.status()),
            tracer.attemptParent(before));
  }

  private static List<DeliveryMessage> messages(
      ActionTrigger trigger,
      JsonNode actions,
      WebhookTaskData data,
      @Nullable Duration retryIn,
      ObjectNode summary,
      TraceContext trace) {
    List<DeliveryMessage> planned = new ArrayList<>();
    for (int i = 0; i < StoredActions.count(actions, trigger); i++) {
      JsonNode action = StoredActions.select(actions, trigger, i);
      JsonNode sent = StoredActions.sendsSummary(action, trigger) ? summary : NO_SUMMARY;
      planned.add(
          new WebhookMessage(trigger, i, action, data, retryIn, sent, trace)
              .toDeliveryMessage(trigger.field()));
    }
    return planned;
  }

  private static WebhookTaskData taskData(Task before, TaskChange change, ActionTrigger trigger) {
    AttemptDetails details = TaskSummary.shownAttempt(before, change);
    return new WebhookTaskData(
        before.id(),
        trigger.status(),
        before.retryCounters().attempt(),
        details == null ? null : details.message(),
        null);
  }

  private static @Nullable Duration retryIn(TaskChange change) {
    AttemptDetails details = change.attemptDetails();
    return details == null ? null : details.delay();
  }

  private static Optional<ActionTrigger> trigger(TaskState to) {
    return switch (to) {
      case SUCCESS -> Optional.of(ActionTrigger.SUCCESS);
      case FAILURE -> Optional.of(ActionTrigger.FAILURE);
      case RETRY_PENDING -> Optional.of(ActionTrigger.RETRY);
      case CANCELED -> Optional.of(ActionTrigger.CANCEL);
      case WAITING, PENDING, CLAIMED, RUNNING -> Optional.empty();
    };
  }

  /** The callee's cancel action. Its index follows those of the task's own {@code on_cancel}. */
  private Optional<DeliveryMessage> cancelDelivery(
      Task before, TaskChange change, JsonNode actions) {
    String stored = change.handsOff() ? change.cancelAction() : before.cancelAction();
    if (stored == null || !CANCELS_CALLEE.contains(change.event())) {
      return Optional.empty();
    }
    JsonNode action = StoredActions.parse(stored);
    int index = StoredActions.count(actions, ActionTrigger.CANCEL);
    WebhookTaskData data =
        taskData(before, change, trigger(change.to()).orElse(ActionTrigger.CANCEL));
    return Optional.of(
        new WebhookMessage(
                ActionTrigger.CANCEL,
                index,
                action,
                data,
                retryIn(change),
                NO_SUMMARY,
                tracer.attemptParent(before))
            .toDeliveryMessage(CANCEL_ACTION));
  }
}
