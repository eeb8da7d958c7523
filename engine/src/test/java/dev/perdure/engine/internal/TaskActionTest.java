// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.TaskAction;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is offered is what the lifecycle accepts. */
class TaskActionTest {

  private static final Instant DUE = SampleTask.SUBMITTED;
  private static final Instant BEFORE_DUE = DUE.minusMillis(1);

  private final TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);

  private static Task task(TaskState state, Set<HoldReason> hold, int failedParents) {
    Task task = SampleTask.task(state, null, new RetryCounters(1, 0, 0, null));
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        state,
        hold,
        task.epoch(),
        task.worker(),
        null,
        null,
        task.retryCounters(),
        task.times(),
        task.progress(),
        task.lastResult(),
        new DependencyCounts(failedParents, failedParents));
  }

  private boolean accepted(Task task, Function<Task, TaskChange> command) {
    try {
      return command.apply(task) != null;
    } catch (IllegalTransitionException refused) {
      return false;
    }
  }

  private Function<Task, TaskChange> command(TaskAction action) {
    return switch (action) {
      case RETRY_NOW -> task -> lifecycle.reschedule(task, DueTime.now());
      case RETRY_AT -> task -> lifecycle.reschedule(task, DueTime.at(DUE));
      case REVIVE -> lifecycle::revive;
      case PAUSE -> lifecycle::pause;
      case RESUME -> lifecycle::resume;
      case CANCEL -> lifecycle::cancel;
      case SETTLE -> task -> lifecycle.settle(task, new Outcome.Succeeded(null), DUE);
      case RESOLVE -> task -> lifecycle.resolve(task, null, "by hand");
    };
  }

  @ParameterizedTest
  @EnumSource
  void offers_exactly_what_the_lifecycle_accepts_and_what_would_change_something(TaskState state) {
    for (Set<HoldReason> hold :
        List.of(Set.<HoldReason>of(), Set.of(HoldReason.PAUSED), Set.of(HoldReason.PARKED))) {
      for (int failedParents : List.of(0, 1)) {
        Task task = task(state, hold, failedParents);
        List<TaskAction> expected =
            Stream.of(TaskAction.values())
                .filter(action -> accepted(task, command(action)))
                .filter(action -> action != TaskAction.PAUSE || !task.paused())
                .filter(action -> action != TaskAction.RESUME || !hold.isEmpty())
                .toList();
        assertThat(TaskAction.allowedOn(task.row(), BEFORE_DUE))
            .as("%s %s %d", state, hold, failedParents)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void a_task_that_is_due_cannot_be_made_due() {
    Task task = task(TaskState.RETRY_PENDING, Set.of(), 0);

    assertThat(TaskAction.allowedOn(task.row(), BEFORE_DUE)).contains(TaskAction.RETRY_NOW);
    assertThat(TaskAction.allowedOn(task.row(), DUE))
        .containsExactly(TaskAction.RETRY_AT, TaskAction.PAUSE, TaskAction.CANCEL);
  }
}
