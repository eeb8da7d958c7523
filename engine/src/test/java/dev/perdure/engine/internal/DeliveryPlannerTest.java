// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which deliveries a change causes, and how a task is handed off to a callee. */
class DeliveryPlannerTest {

  private static final Instant NOW = SampleTask.SUBMITTED.plusSeconds(100);
  private static final String ONCE =
      """
      {"max_retries": 1, "backoff": {"type": "fixed", "delay": "1m"}, "jitter": "none"}""";

  private final List<TaskChange> planned = new ArrayList<>();
  private final List<UUID> ids = new ArrayList<>();
  private final TaskLifecycle taskLifecycle =
      new TaskLifecycle(LossLimit.DEFAULT, this::plan, this::nextId);

  private List<DeliveryMessage> plan(Task before, TaskChange taskChange) {
    planned.add(taskChange);
    return List.of(
        new DeliveryMessage("first", taskChange.to().text()), new DeliveryMessage("second", "{}"));
  }

  private UUID nextId(int shard) {
    UUID id = new UUID(ids.size(), shard);
    ids.add(id);
    return id;
  }

  private static Task task(TaskState state, long attempt) {
    return SampleTask.task(state, ONCE, new RetryCounters(attempt, 0, 0, null));
  }

  private static Outcome failed() {
    return new Outcome.Failed(Failure.explicit("broken"), null);
  }

  private void assertDeliveriesPlanned(TaskChange taskChange) {
    assertThat(taskChange.deliveries())
        .containsExactly(
            new NewDelivery(ids.get(0), new DeliveryMessage("first", taskChange.to().text())),
            new NewDelivery(ids.get(1), new DeliveryMessage("second", "{}")));
    assertThat(ids).allMatch(id -> Shards.of(id) == Shards.of(SampleTask.ID));
  }

  @Test
  void a_success_causes_deliveries() {
    assertDeliveriesPlanned(
        taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Succeeded(null), NOW));
  }

  @Test
  void a_final_failure_causes_deliveries() {
    TaskChange taskChange = taskLifecycle.settle(task(TaskState.RUNNING, 1), failed(), NOW);

    assertThat(taskChange.to()).isEqualTo(TaskState.FAILURE);
    assertDeliveriesPlanned(taskChange);
  }

  @Test
  void a_scheduled_retry_causes_deliveries() {
    TaskChange taskChange = taskLifecycle.settle(task(TaskState.RUNNING, 0), failed(), NOW);

    assertThat(taskChange.to()).isEqualTo(TaskState.RETRY_PENDING);
    assertDeliveriesPlanned(taskChange);
  }

  @Test
  void a_cancel_causes_deliveries_even_if_the_task_never_ran() {
    assertDeliveriesPlanned(taskLifecycle.cancel(task(TaskState.PENDING, 0)));
  }

  @Test
  void a_passed_deadline_and_a_timeout_cause_deliveries() {
    assertThat(taskLifecycle.expire(task(TaskState.RETRY_PENDING, 1)).deliveries()).hasSize(2);
    assertThat(taskLifecycle.timeOut(task(TaskState.RUNNING, 0), NOW).deliveries()).hasSize(2);
  }

  @Test
  void the_planner_is_not_called_for_any_other_change() {
    taskLifecycle.start(task(TaskState.CLAIMED, 0));
    taskLifecycle.workerLost(task(TaskState.RUNNING, 0));
    taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.HandedBack(), NOW);
    taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Snoozed(Duration.ofHours(1)), NOW);
    taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Parked("unreadable"), NOW);
    taskLifecycle.pause(task(TaskState.RETRY_PENDING, 1));
    taskLifecycle.resume(task(TaskState.RETRY_PENDING, 1));
    taskLifecycle.reschedule(task(TaskState.RETRY_PENDING, 1), DueTime.now());
    taskLifecycle.revive(task(TaskState.FAILURE, 1));

    assertThat(planned).isEmpty();
  }

  @Test
  void the_planner_sees_the_attempt_details_of_the_change() {
    TaskChange taskChange = taskLifecycle.cancel(task(TaskState.RUNNING, 0));

    assertThat(planned).singleElement().extracting(TaskChange::deliveries).isEqualTo(List.of());
    assertThat(planned.getFirst().attemptDetails()).isEqualTo(taskChange.attemptDetails());
  }

  @Test
  void the_planner_sees_the_counters_including_the_delta_of_the_final_report() {
    List<Progress> seen = new ArrayList<>();
    TaskLifecycle recording =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, taskChange) -> {
              seen.add(before.progress());
              return List.of();
            },
            this::nextId);
    CounterDelta counterDelta = new CounterDelta(5, 2);
    TaskChange taskChange =
        recording.settle(
            task(TaskState.RUNNING, 0), new Outcome.Succeeded(null), counterDelta, NOW);

    assertThat(seen).containsExactly(new Progress(5, 2, null));
    assertThat(taskChange.counterDelta()).isEqualTo(counterDelta);
  }

  @Test
  void a_change_with_more_deliveries_than_the_limit_is_refused() {
    TaskLifecycle unlimited =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, taskChange) ->
                Collections.nCopies(
                    DeliveryPlanner.MAX_DELIVERIES + 1, new DeliveryMessage("a", "{}")),
            this::nextId);

    assertThatThrownBy(() -> unlimited.cancel(task(TaskState.PENDING, 0)))
        .hasMessage("a change may cause at most 100 deliveries, not 101");
  }

  @Nested
  class HandedOffTask {

    private Task taskInQueue(@Nullable Duration timeout, @Nullable Long handleEpoch) {
      TaskDefinition taskDefinition =
          new TaskDefinition(
              "a",
              null,
              "{}",
              null,
              null,
              null,
              null,
              timeout,
              null,
              0,
              null,
              null,
              "perdure:webhook",
              "{}",
              null);
      return SampleTask.task(
          TaskState.RUNNING, taskDefinition, "node", handleEpoch, RetryCounters.INITIAL);
    }

    @Test
    void keeps_running_without_an_attempt_record() {
      TaskChange taskChange =
          taskLifecycle.settle(
              taskInQueue(Duration.ofMinutes(1), 5L), new Outcome.HandedOff("{\"stop\":1}"), NOW);

      assertThat(taskChange.to()).isEqualTo(TaskState.RUNNING);
      assertThat(taskChange.handsOff()).isTrue();
      assertThat(taskChange.cancelAction()).isEqualTo("{\"stop\":1}");
      assertThat(taskChange.attemptDetails()).isNull();
      assertThat(taskChange.deliveries()).isEmpty();
    }

    @Test
    void that_has_ended_meanwhile_causes_late_cancel_deliveries() {
      Task task = taskInQueue(Duration.ofMinutes(1), 5L);
      TaskChange late = taskLifecycle.settle(task, new Outcome.HandedOff("{\"stop\":1}"), NOW);
      assertThat(planned).isEmpty();

      assertThat(taskLifecycle.lateCancelDeliveries(task, late)).hasSize(2);
      assertThat(planned).containsExactly(late);
    }

    @Test
    void needs_a_timeout() {
      assertThatThrownBy(
              () -> taskLifecycle.settle(taskInQueue(null, 5L), new Outcome.HandedOff(null), NOW))
          .hasMessageContaining("it needs a queue and a timeout");
    }

    @Test
    void needs_a_handle() {
      assertThatThrownBy(
              () ->
                  taskLifecycle.settle(
                      taskInQueue(Duration.ofMinutes(1), null), new Outcome.HandedOff(null), NOW))
          .hasMessageContaining("it needs a queue and a timeout");
    }
  }
}
