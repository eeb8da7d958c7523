// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldChange;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds a change that leaves everything but the state as it is. */
final class ChangeBuilder {

  private final Task before;
  private final TaskEvent event;
  private final TaskState to;
  private final UnaryOperator<TaskChange> completion;
  private Guard guard;
  private DueTime dueTime = DueTime.unchanged();
  private RetryCounters retryCounters;
  private HoldChange holdChange = HoldChange.UNCHANGED;
  private @Nullable TaskGiveUpReason reason;
  private @Nullable AttemptDetails note;
  private @Nullable String cancelAction;

  /**
   * @param completion adds the deliveries to the finished change
   */
  ChangeBuilder(Task from, TaskEvent event, TaskState to, UnaryOperator<TaskChange> completion) {
    this.completion = completion;
    this.before = from;
    this.event = event;
    this.to = to;
    this.retryCounters = from.retryCounters();
    this.guard =
        new Guard(from.state(), from.epoch(), retryCounters.attempt(), from.worker(), false);
  }

  ChangeBuilder inactive(boolean value) {
    guard = new Guard(guard.from(), guard.epoch(), guard.attempt(), guard.worker(), value);
    return this;
  }

  ChangeBuilder comparingDependencies() {
    guard =
        new Guard(
            guard.from(),
            guard.epoch(),
            guard.attempt(),
            guard.worker(),
            false,
            before.dependencies());
    return this;
  }

  ChangeBuilder due(DueTime value) {
    dueTime = value;
    return this;
  }

  ChangeBuilder counting(RetryCounters value) {
    retryCounters = value;
    return this;
  }

  ChangeBuilder hold(HoldChange value) {
    holdChange = value;
    return this;
  }

  ChangeBuilder reason(TaskGiveUpReason value) {
    reason = value;
    return this;
  }

  ChangeBuilder cancelAction(@Nullable String value) {
    cancelAction = value;
    return this;
  }

  ChangeBuilder note(@Nullable AttemptDetails value) {
    note = value;
    return this;
  }

  TaskChange change() {
    return completion.apply(
        new TaskChange(
            before.id(),
            guard,
            event,
            to,
            dueTime,
            retryCounters,
            holdChange,
            reason,
            note,
            cancelAction,
            List.of(),
            CounterDelta.NONE));
  }
}
