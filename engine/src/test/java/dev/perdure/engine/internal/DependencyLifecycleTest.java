// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DependencyLifecycleTest {

  private static final RetryCounters SECOND_ATTEMPT = new RetryCounters(1, 2, 0, null);

  private final TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);

  private static Task task(TaskState state, int unmet, int failed) {
    Task task = SampleTask.task(state, null, SECOND_ATTEMPT);
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        task.definition(),
        task.state(),
        task.hold(),
        task.epoch(),
        task.worker(),
        null,
        null,
        task.retryCounters(),
        task.times(),
        task.progress(),
        task.lastResult(),
        new DependencyCounts(unmet, failed));
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILURE", "CANCELED"})
  void a_revived_task_waits_for_unmet_dependencies(TaskState state) {
    TaskChange change = lifecycle.revive(task(state, 2, 0));

    assertThat(change.event()).isEqualTo(TaskEvent.REVIVE_WAITING);
    assertThat(change.to()).isEqualTo(TaskState.WAITING);
    assertThat(change.resetsRetries()).isTrue();
    assertThat(change.waivesDependencies()).isFalse();
    assertThat(change.retryCounters()).isEqualTo(new RetryCounters(2, 0, 2, null));
    assertThat(change.guard().dependencies()).isEqualTo(new DependencyCounts(2, 0));
  }

  @Test
  void a_revived_task_whose_dependencies_are_met_is_pending_unless_they_change_meanwhile() {
    TaskChange change = lifecycle.revive(task(TaskState.FAILURE, 0, 0));

    assertThat(change.event()).isEqualTo(TaskEvent.REVIVE);
    assertThat(change.to()).isEqualTo(TaskState.PENDING);
    assertThat(change.guard().dependencies()).isEqualTo(DependencyCounts.NONE);
  }

  @Test
  void a_task_cannot_be_revived_while_a_required_parent_has_failed() {
    assertThatThrownBy(() -> lifecycle.revive(task(TaskState.FAILURE, 2, 1)))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessage(
            "cannot retry task %s, which is Failure: a task that it depends on failed"
                .formatted(SampleTask.ID));
  }

  @Test
  void a_task_that_has_not_ended_cannot_be_revived_whatever_its_parents_did() {
    assertThatThrownBy(() -> lifecycle.revive(task(TaskState.WAITING, 2, 1)))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessageContaining("which is Waiting: it has not ended");
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILURE", "CANCELED"})
  void a_revive_can_ignore_dependencies(TaskState state) {
    TaskChange change = lifecycle.reviveIgnoringDependencies(task(state, 2, 1));

    assertThat(change.event()).isEqualTo(TaskEvent.REVIVE_IGNORING_DEPENDENCIES);
    assertThat(change.to()).isEqualTo(TaskState.PENDING);
    assertThat(change.waivesDependencies()).isTrue();
    assertThat(change.resetsRetries()).isTrue();
    assertThat(change.due()).isEqualTo(DueTime.now());
    assertThat(change.retryCounters()).isEqualTo(new RetryCounters(2, 0, 2, null));
  }

  @Test
  void a_waiting_task_fails_with_its_parents_without_an_attempt() {
    TaskChange change = lifecycle.failUpstream(task(TaskState.WAITING, 2, 1));

    assertThat(change.event()).isEqualTo(TaskEvent.FAIL_UPSTREAM);
    assertThat(change.to()).isEqualTo(TaskState.FAILURE);
    assertThat(change.giveUpReason()).isEqualTo(TaskGiveUpReason.UPSTREAM_FAILED);
    assertThat(change.attemptDetails()).isNull();
    assertThat(change.retryCounters()).isEqualTo(SECOND_ATTEMPT);
    assertThat(change.guard().dependencies()).isEqualTo(new DependencyCounts(2, 1));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WAITING")
  void only_a_waiting_task_fails_with_its_parents(TaskState state) {
    assertThatThrownBy(() -> lifecycle.failUpstream(task(state, 1, 1)))
        .isInstanceOf(IllegalTransitionException.class);
  }

  @Test
  void a_failed_task_can_be_resolved_with_a_result_and_a_reason() {
    Task failed = task(TaskState.FAILURE, 1, 1);

    TaskChange change = lifecycle.resolve(failed, "42", "checked by hand");

    assertThat(change.to()).isEqualTo(TaskState.SUCCESS);
    assertThat(change.attemptDetails()).isEqualTo(AttemptDetails.resolved("42", "checked by hand"));
    assertThat(change.recordEpoch()).isEqualTo(failed.epoch() + 1);
    assertThat(change.retryCounters()).isEqualTo(SECOND_ATTEMPT);
    assertThat(change.resetsRetries()).isFalse();
    assertThat(change.giveUpReason()).isNull();
  }

  @Test
  void a_canceled_task_cannot_be_resolved() {
    assertThatThrownBy(() -> lifecycle.resolve(task(TaskState.CANCELED, 0, 0), null, "why"))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessage(
            "cannot resolve task %s, which is Canceled: it was canceled, which is not a failure;"
                    .formatted(SampleTask.ID)
                + " retry it instead");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"FAILURE", "CANCELED"})
  void only_a_failed_task_can_be_resolved(TaskState state) {
    assertThatThrownBy(() -> lifecycle.resolve(task(state, 0, 0), null, "why"))
        .isInstanceOf(IllegalTransitionException.class);
  }
}
