// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OperatorLifecycleTest {

  private static final UUID ID = SampleTask.ID;
  private static final Instant SUBMITTED = SampleTask.SUBMITTED;
  private static final Instant NOW = SUBMITTED.plusSeconds(100);
  private static final Failure BROKEN = Failure.explicit("broken").withMessage("it broke");
  private static final String SPREAD =
      """
      {"max_retries": 3, "backoff": {"type": "exponential", "initial": "10s"}, "jitter": "full"}\
      """;

  private final TaskLifecycle taskLifecycle = new TaskLifecycle(LossLimit.DEFAULT);

  private static Task task(TaskState state, @Nullable String policy, RetryCounters retryCounters) {
    return SampleTask.task(state, policy, retryCounters);
  }

  private static Task task(TaskState state) {
    return task(state, SPREAD, RetryCounters.INITIAL);
  }

  private static Outcome failed(Failure failure) {
    return new Outcome.Failed(failure, "at x");
  }

  private static AttemptDetails attemptDetails(TaskChange taskChange) {
    return Objects.requireNonNull(taskChange.attemptDetails());
  }

  @Test
  void a_claimed_task_can_be_started() {
    assertThat(taskLifecycle.start(task(TaskState.CLAIMED)).to()).isEqualTo(TaskState.RUNNING);
  }

  @Test
  void a_cancel_records_an_attempt_only_for_a_leased_task() {
    assertThat(taskLifecycle.cancel(task(TaskState.PENDING)).attemptDetails()).isNull();
    assertThat(attemptDetails(taskLifecycle.cancel(task(TaskState.RUNNING))).outcome())
        .isEqualTo(AttemptOutcome.CANCELED);
    assertThat(taskLifecycle.cancel(task(TaskState.RETRY_PENDING)).to())
        .isEqualTo(TaskState.CANCELED);
  }

  @Test
  void a_task_can_be_paused_and_resumed_in_any_live_state() {
    for (TaskState state : TaskState.values()) {
      if (state.isLive()) {
        TaskChange pause = taskLifecycle.pause(task(state));
        assertThat(pause.to()).isEqualTo(state);
        assertThat(pause.holdChange().set()).containsExactly(HoldReason.PAUSED);
        TaskChange resume = taskLifecycle.resume(task(state));
        assertThat(resume.to()).isEqualTo(state);
        assertThat(resume.holdChange().clear())
            .containsExactlyInAnyOrder(HoldReason.PAUSED, HoldReason.PARKED);
        assertThat(resume.due()).isEqualTo(DueTime.unchanged());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"WAITING", "PENDING", "RETRY_PENDING"})
  void a_task_that_is_not_claimed_yet_can_be_rescheduled(TaskState state) {
    DueTime dueTime = DueTime.at(NOW.plusSeconds(3));
    TaskChange change = taskLifecycle.reschedule(task(state), dueTime);

    assertThat(change.due()).isEqualTo(dueTime);
    assertThat(change.to()).isEqualTo(state);
    assertThat(change.retryCounters()).isEqualTo(RetryCounters.INITIAL);
    assertThat(change.resetsRetries()).isFalse();
  }

  @Test
  void a_reschedule_restarts_the_expiry_only_before_the_first_failure() {
    Task failedOnce = task(TaskState.RETRY_PENDING, SPREAD, new RetryCounters(1, 0, 0, null));
    Task revived = task(TaskState.PENDING, SPREAD, new RetryCounters(4, 0, 4, null));

    assertThat(taskLifecycle.reschedule(failedOnce, DueTime.now()).restartsExpiry()).isFalse();
    assertThat(taskLifecycle.reschedule(revived, DueTime.now()).restartsExpiry()).isTrue();
    assertThat(taskLifecycle.pause(revived).restartsExpiry()).isFalse();
  }

  @Test
  void a_revive_makes_the_task_due_now_and_restarts_the_policys_count() {
    Task ended =
        task(TaskState.FAILURE, SPREAD, new RetryCounters(3, 2, 0, Duration.ofSeconds(40)));
    TaskChange taskChange = taskLifecycle.revive(ended);

    assertThat(taskChange.event()).isEqualTo(TaskEvent.REVIVE);
    assertThat(taskChange.to()).isEqualTo(TaskState.PENDING);
    assertThat(taskChange.retryCounters()).isEqualTo(new RetryCounters(4, 0, 4, null));
    assertThat(taskChange.due()).isEqualTo(DueTime.now());
    assertThat(taskChange.resetsRetries()).isTrue();
    Task again = task(TaskState.RUNNING, SPREAD, taskChange.retryCounters());
    assertThat(taskLifecycle.settle(again, failed(BROKEN), NOW).to())
        .isEqualTo(TaskState.RETRY_PENDING);
  }

  @Test
  void an_illegal_event_throws_with_the_state_and_the_reason() {
    assertThatThrownBy(() -> taskLifecycle.cancel(task(TaskState.SUCCESS)))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessage("cannot cancel task " + ID + ", which is Success: it has ended");
    assertThatThrownBy(() -> taskLifecycle.reschedule(task(TaskState.RUNNING), DueTime.now()))
        .hasMessage(
            "cannot reschedule task " + ID + ", which is Running: a worker already holds it")
        .isInstanceOfSatisfying(
            IllegalTransitionException.class,
            refused -> {
              assertThat(refused.state()).isEqualTo(TaskState.RUNNING);
              assertThat(refused.event()).isEqualTo(TaskEvent.RESCHEDULE);
            });
  }
}
