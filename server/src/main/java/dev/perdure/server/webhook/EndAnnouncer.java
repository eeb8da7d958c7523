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

  /** Whoever was at work when these happen is at work still. */
  private static final Set<TaskEvent> IN_VAIN =
      EnumSet.of(
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
    Trigger trigger = trigger(change.to()).orElse(null);
    if (kept == null || trigger == null) {
      return List.of();
    }
    JsonNode actions = KeptActions.read(kept);
    AttemptNote note = change.note();
    TaskFacts facts =
        new TaskFacts(
            before.id(),
            trigger.status(),
            before.counting().attempt(),
            note == null ? null : note.message());
    TraceContext trace = tracer.attempt(before);
    ObjectNode summary = TaskSummary.of(before, change, trigger.status());
    List<Announcement> told = new ArrayList<>();
    stop(before, change, actions, facts).ifPresent(told::add);
    for (int i = 0; i < KeptActions.count(actions, trigger); i++) {
      JsonNode picked = KeptActions.pick(actions, trigger, i);
      told.add(new News(trigger, i, picked, facts, summary, trace).announcement(trigger.field()));
    }
    return told;
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
  private Optional<Announcement> stop(
      Task before, Change change, JsonNode actions, TaskFacts facts) {
    String kept = before.cancelAction();
    if (kept == null || !IN_VAIN.contains(change.event())) {
      return Optional.empty();
    }
    JsonNode picked = KeptActions.read(kept);
    int index = KeptActions.count(actions, Trigger.CANCEL);
    JsonNode nothing = JsonNodeFactory.instance.nullNode();
    return Optional.of(
        new News(Trigger.CANCEL, index, picked, facts, nothing, tracer.attempt(before))
            .announcement(CANCEL_ACTION));
  }
}
