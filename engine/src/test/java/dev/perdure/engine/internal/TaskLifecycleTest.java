// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Guard;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.json.PolicyJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TaskLifecycleTest {

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

  @Nested
  class EndedAttempt {

    @Test
    void that_succeeded_keeps_its_result() {
      TaskChange taskChange =
          taskLifecycle.settle(task(TaskState.RUNNING), new Outcome.Succeeded("[1]"), NOW);

      assertThat(taskChange.to()).isEqualTo(TaskState.SUCCESS);
      assertThat(taskChange.guard()).isEqualTo(new Guard(TaskState.RUNNING, 7, 0, "node", false));
      assertThat(taskChange.event()).isEqualTo(TaskEvent.SUCCEED);
      assertThat(taskChange.due()).isEqualTo(DueTime.unchanged());
      assertThat(taskChange.retryCounters()).isEqualTo(RetryCounters.INITIAL);
      assertThat(attemptDetails(taskChange).outcome()).isEqualTo(AttemptOutcome.SUCCESS);
      assertThat(attemptDetails(taskChange).result()).isEqualTo("[1]");
    }

    @Test
    void that_failed_is_retried_after_the_delay_of_its_policy() {
      RetryPolicy policy = PolicyJson.read(SPREAD);
      for (long attempt = 0; attempt < 3; attempt++) {
        RetryCounters retryCounters = new RetryCounters(attempt, 2, 0, null);
        TaskChange taskChange =
            taskLifecycle.settle(
                task(TaskState.RUNNING, SPREAD, retryCounters), failed(BROKEN), NOW);

        DecisionContext decisionContext =
            new DecisionContext(attempt, Duration.ofSeconds(100), NOW, null);
        Decision.Retry retry =
            (Decision.Retry) policy.decide(decisionContext, BROKEN, SeededRandom.of(ID, attempt));
        assertThat(taskChange.to()).isEqualTo(TaskState.RETRY_PENDING);
        assertThat(taskChange.due()).isEqualTo(DueTime.in(retry.delay()));
        assertThat(taskChange.retryCounters())
            .isEqualTo(new RetryCounters(attempt + 1, 0, 0, retry.delay()));
        assertThat(attemptDetails(taskChange))
            .isEqualTo(AttemptDetails.failure(BROKEN, "at x", retry.delay()));
      }
    }

    @Test
    void gets_the_same_decision_each_time() {
      TaskChange once = taskLifecycle.settle(task(TaskState.RUNNING), failed(BROKEN), NOW);
      TaskChange again =
          new TaskLifecycle(LossLimit.DEFAULT).settle(task(TaskState.RUNNING), failed(BROKEN), NOW);

      assertThat(again).isEqualTo(once);
    }

    @Test
    void that_used_up_its_retries_fails_the_task() {
      RetryCounters last = new RetryCounters(3, 0, 0, Duration.ofSeconds(40));
      TaskChange taskChange =
          taskLifecycle.settle(task(TaskState.RUNNING, SPREAD, last), failed(BROKEN), NOW);

      assertThat(taskChange.event()).isEqualTo(TaskEvent.FAIL_AND_GIVE_UP);
      assertThat(taskChange.to()).isEqualTo(TaskState.FAILURE);
      assertThat(taskChange.giveUpReason()).isEqualTo(TaskGiveUpReason.EXHAUSTED);
      assertThat(taskChange.retryCounters()).isEqualTo(last);
      assertThat(attemptDetails(taskChange).delay()).isNull();
      assertThat(attemptDetails(taskChange).failureKind()).isEqualTo("explicit");
      assertThat(attemptDetails(taskChange).code()).isEqualTo("broken");
      assertThat(attemptDetails(taskChange).message()).isEqualTo("it broke");
    }

    @Test
    void of_a_task_without_a_policy_is_not_retried() {
      TaskChange taskChange =
          taskLifecycle.settle(
              task(TaskState.RUNNING, null, RetryCounters.INITIAL), failed(BROKEN), NOW);

      assertThat(taskChange.giveUpReason()).isEqualTo(TaskGiveUpReason.NO_POLICY);
    }

    @Test
    void with_a_permanent_failure_is_not_retried() {
      TaskChange taskChange =
          taskLifecycle.settle(task(TaskState.RUNNING), failed(BROKEN.withPermanent(true)), NOW);

      assertThat(taskChange.giveUpReason()).isEqualTo(TaskGiveUpReason.NOT_RETRYABLE);
    }

    @Test
    void of_a_task_with_an_unreadable_policy_parks_the_task() {
      TaskChange taskChange =
          taskLifecycle.settle(
              task(TaskState.RUNNING, "{\"backof\": 1}", RetryCounters.INITIAL),
              failed(BROKEN),
              NOW);

      assertThat(taskChange.event()).isEqualTo(TaskEvent.HAND_BACK);
      assertThat(taskChange.to()).isEqualTo(TaskState.PENDING);
      assertThat(taskChange.holdChange().set()).containsExactly(HoldReason.PARKED);
      assertThat(taskChange.retryCounters()).isEqualTo(RetryCounters.INITIAL);
      assertThat(attemptDetails(taskChange).message()).startsWith("its policy cannot be read: ");
    }

    @Test
    void that_snoozed_is_due_later_and_uses_no_retry() {
      Duration delay = Duration.ofHours(1);
      TaskChange taskChange =
          taskLifecycle.settle(task(TaskState.RUNNING), new Outcome.Snoozed(delay), NOW);

      assertThat(taskChange.to()).isEqualTo(TaskState.PENDING);
      assertThat(taskChange.due()).isEqualTo(DueTime.in(delay));
      assertThat(taskChange.retryCounters()).isEqualTo(RetryCounters.INITIAL);
      assertThat(attemptDetails(taskChange).outcome()).isEqualTo(AttemptOutcome.SNOOZED);
      assertThat(attemptDetails(taskChange).delay()).isEqualTo(delay);
    }

    @Test
    void that_was_handed_back_changes_no_counter() {
      RetryCounters retryCounters = new RetryCounters(2, 3, 1, Duration.ofSeconds(5));
      TaskChange taskChange =
          taskLifecycle.settle(
              task(TaskState.CLAIMED, SPREAD, retryCounters), new Outcome.HandedBack(), NOW);

      assertThat(taskChange.to()).isEqualTo(TaskState.PENDING);
      assertThat(taskChange.due()).isEqualTo(DueTime.unchanged());
      assertThat(taskChange.retryCounters()).isEqualTo(retryCounters);
      assertThat(taskChange.holdChange().set()).isEmpty();
    }

    @Test
    void that_was_parked_records_the_reason() {
      TaskChange taskChange =
          taskLifecycle.settle(task(TaskState.RUNNING), new Outcome.Parked("no class"), NOW);

      assertThat(taskChange.to()).isEqualTo(TaskState.PENDING);
      assertThat(taskChange.holdChange().set()).containsExactly(HoldReason.PARKED);
      assertThat(attemptDetails(taskChange))
          .isEqualTo(AttemptDetails.of(AttemptOutcome.HANDED_BACK, "no class"));
    }
  }

  @Nested
  class PolicyExpiry {

    private static final String EXPIRING =
        """
        {"max_retries": null, "backoff": {"type": "fixed", "delay": "30s"}, "jitter": "none",
         "expires_after": "2m"}\
        """;

    @Test
    void is_counted_from_when_the_task_was_first_due() {
      Task task = task(TaskState.RUNNING, EXPIRING, new RetryCounters(9, 0, 0, null));
      Instant last = SUBMITTED.plusSeconds(90);

      assertThat(taskLifecycle.settle(task, failed(BROKEN), last).to())
          .isEqualTo(TaskState.RETRY_PENDING);
      assertThat(taskLifecycle.settle(task, failed(BROKEN), last.plusMillis(1)).giveUpReason())
          .isEqualTo(TaskGiveUpReason.EXPIRED);
    }

    @Test
    void is_not_reached_when_the_clock_is_behind() {
      Task task = task(TaskState.RUNNING, EXPIRING, RetryCounters.INITIAL);

      assertThat(taskLifecycle.settle(task, failed(BROKEN), SUBMITTED.minusSeconds(5)).due())
          .isEqualTo(DueTime.in(Duration.ofSeconds(30)));
    }
  }

  @Nested
  class Inactivity {

    @Test
    void fails_the_attempt_and_is_checked_again_by_the_write() {
      TaskChange taskChange = taskLifecycle.timeOut(task(TaskState.RUNNING), NOW);

      assertThat(taskChange.event()).isEqualTo(TaskEvent.TIME_OUT_AND_RETRY);
      assertThat(taskChange.guard()).isEqualTo(new Guard(TaskState.RUNNING, 7, 0, "node", true));
      assertThat(taskChange.to()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(attemptDetails(taskChange).failureKind()).isEqualTo("timeout");
      assertThat(attemptDetails(taskChange).message()).isEqualTo("no heartbeat for 1m");
    }

    @Test
    void of_a_task_with_an_unreadable_policy_parks_it_and_is_checked_again_by_the_write() {
      TaskChange taskChange =
          taskLifecycle.timeOut(
              task(TaskState.RUNNING, "{\"backof\": 1}", RetryCounters.INITIAL), NOW);

      assertThat(taskChange.event()).isEqualTo(TaskEvent.HAND_BACK);
      assertThat(taskChange.holdChange().set()).containsExactly(HoldReason.PARKED);
      assertThat(taskChange.guard().inactive()).isTrue();
    }

    @Test
    void fails_a_task_that_has_no_retries() {
      TaskChange taskChange =
          taskLifecycle.timeOut(task(TaskState.RUNNING, null, RetryCounters.INITIAL), NOW);

      assertThat(taskChange.event()).isEqualTo(TaskEvent.TIME_OUT_AND_GIVE_UP);
      assertThat(taskChange.guard().inactive()).isTrue();
      assertThat(taskChange.to()).isEqualTo(TaskState.FAILURE);
    }
  }

  @Nested
  class WorkerLoss {

    @Test
    void before_the_start_is_not_counted() {
      TaskChange taskChange = taskLifecycle.workerLost(task(TaskState.CLAIMED));

      assertThat(taskChange.to()).isEqualTo(TaskState.PENDING);
      assertThat(taskChange.retryCounters()).isEqualTo(RetryCounters.INITIAL);
      assertThat(taskChange.due()).isEqualTo(DueTime.unchanged());
      assertThat(attemptDetails(taskChange).message()).isEqualTo("its worker was lost: node");
    }

    @Test
    void doubles_the_wait_up_to_the_fifth_time() {
      for (int before = 0; before < 5; before++) {
        RetryCounters retryCounters = new RetryCounters(1, before, 0, Duration.ofSeconds(9));
        TaskChange taskChange =
            taskLifecycle.workerLost(task(TaskState.RUNNING, SPREAD, retryCounters));

        assertThat(taskChange.to()).isEqualTo(TaskState.PENDING);
        assertThat(taskChange.retryCounters())
            .isEqualTo(new RetryCounters(1, before + 1, 0, Duration.ofSeconds(9)));
        assertThat(taskChange.due()).isEqualTo(DueTime.in(Duration.ofSeconds(2L << before)));
        assertThat(attemptDetails(taskChange).outcome()).isEqualTo(AttemptOutcome.LOST);
      }
    }

    @Test
    void fails_the_task_the_sixth_time() {
      TaskChange taskChange =
          taskLifecycle.workerLost(
              task(TaskState.RUNNING, SPREAD, new RetryCounters(0, 5, 0, null)));

      assertThat(taskChange.event()).isEqualTo(TaskEvent.WORKER_LOST_AND_GIVE_UP);
      assertThat(taskChange.to()).isEqualTo(TaskState.FAILURE);
      assertThat(taskChange.giveUpReason()).isEqualTo(TaskGiveUpReason.LOST);
      assertThat(taskChange.retryCounters().losses()).isEqualTo(6);
    }

    @Test
    void waits_at_most_4096_seconds() {
      TaskLifecycle patient = new TaskLifecycle(new LossLimit(1_000));
      TaskChange taskChange =
          patient.workerLost(task(TaskState.RUNNING, SPREAD, new RetryCounters(0, 99, 0, null)));

      assertThat(taskChange.due()).isEqualTo(DueTime.in(Duration.ofSeconds(4096)));
    }
  }

  @Test
  void a_deadline_fails_a_task_in_any_live_state_and_records_an_attempt_only_if_leased() {
    for (TaskState state : TaskState.values()) {
      if (state.isLive()) {
        TaskChange taskChange = taskLifecycle.expire(task(state));
        assertThat(taskChange.to()).isEqualTo(TaskState.FAILURE);
        assertThat(taskChange.giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
        assertThat(taskChange.attemptDetails() != null).isEqualTo(state.isLeased());
      }
    }
  }
}
