// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.Tracer;
import dev.perdure.engine.task.Announcement;
import dev.perdure.engine.task.Announcer;
import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.webhook.action.TaskFacts;
import dev.perdure.server.webhook.action.Trigger;
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
final class EndAnnouncer implements Announcer {

  /** How deliveries that tell a callee to stop are named. */
  static final String CANCEL_ACTION = "cancel_action";

  private static final JsonNode NOTHING = JsonNodeFactory.instance.nullNode();

  /** Whoever was at work when these happen is at work still; so is who is entrusted too late. */
  private static final Set<TaskEvent> IN_VAIN =
      EnumSet.of(
          TaskEvent.ENTRUST,
          TaskEvent.CANCEL,
          TaskEvent.TIME_OUT_AND_RETRY,
          TaskEvent.TIME_OUT_FOR_GOOD,
          TaskEvent.EXPIRE);

  private final Tracer tracer;

  /**
   * Announces.
   *
   * @param tracer says what spans the news come from
   */
  EndAnnouncer(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public List<Announcement> announce(Task before, Change change) {
    String kept = before.definition().actions();
    if (kept == null) {
      return List.of();
    }
    JsonNode actions = KeptActions.read(kept);
    List<Announcement> told = new ArrayList<>();
    stop(before, change, actions).ifPresent(told::add);
    trigger(change.to()).ifPresent(trigger -> told.addAll(news(before, change, trigger, actions)));
    return told;
  }

  private List<Announcement> news(Task before, Change change, Trigger trigger, JsonNode actions) {
    int count = KeptActions.count(actions, trigger);
    if (count == 0) {
      return List.of();
    }
    TaskFacts facts = facts(before, change, trigger);
    TraceContext trace = tracer.attempt(before);
    ObjectNode summary = TaskSummary.of(before, change, trigger.status());
    List<Announcement> told = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      JsonNode picked = KeptActions.pick(actions, trigger, i);
      JsonNode sent = KeptActions.sendsSummary(picked, trigger) ? summary : NOTHING;
      told.add(new News(trigger, i, picked, facts, sent, trace).announcement(trigger.field()));
    }
    return told;
  }

  private static TaskFacts facts(Task before, Change change, Trigger trigger) {
    AttemptNote note = change.note();
    return new TaskFacts(
        before.id(),
        trigger.status(),
        before.counting().attempt(),
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
  private Optional<Announcement> stop(Task before, Change change, JsonNode actions) {
    String kept = change.entrusts() ? change.cancelAction() : before.cancelAction();
    if (kept == null || !IN_VAIN.contains(change.event())) {
      return Optional.empty();
    }
    JsonNode picked = KeptActions.read(kept);
    int index = KeptActions.count(actions, Trigger.CANCEL);
    TaskFacts facts = facts(before, change, trigger(change.to()).orElse(Trigger.CANCEL));
    return Optional.of(
        new News(Trigger.CANCEL, index, picked, facts, NOTHING, tracer.attempt(before))
            .announcement(CANCEL_ACTION));
  }
}
