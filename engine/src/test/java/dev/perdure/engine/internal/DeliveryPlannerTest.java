// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.Due;
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

  private final List<TaskChange> asked = new ArrayList<>();
  private final List<UUID> ids = new ArrayList<>();
  private final TaskLifecycle taskLifecycle =
      new TaskLifecycle(LossLimit.DEFAULT, this::announce, this::nextId);

  private List<DeliveryMessage> announce(Task before, TaskChange taskChange) {
    asked.add(taskChange);
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

  private void assertTold(TaskChange taskChange) {
    assertThat(taskChange.deliveries())
        .containsExactly(
            new NewDelivery(ids.get(0), new DeliveryMessage("first", taskChange.to().text())),
            new NewDelivery(ids.get(1), new DeliveryMessage("second", "{}")));
    assertThat(ids).allMatch(id -> Shards.of(id) == Shards.of(SampleTask.ID));
  }

  @Test
  void the_end_of_a_task_is_told() {
    assertTold(taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Succeeded(null), NOW));
  }

  @Test
  void the_final_failure_is_told() {
    TaskChange taskChange = taskLifecycle.settle(task(TaskState.RUNNING, 1), failed(), NOW);

    assertThat(taskChange.to()).isEqualTo(TaskState.FAILURE);
    assertTold(taskChange);
  }

  @Test
  void a_retry_that_was_decided_is_told() {
    TaskChange taskChange = taskLifecycle.settle(task(TaskState.RUNNING, 0), failed(), NOW);

    assertThat(taskChange.to()).isEqualTo(TaskState.RETRY_PENDING);
    assertTold(taskChange);
  }

  @Test
  void a_cancel_is_told_also_of_a_task_that_never_ran() {
    assertTold(taskLifecycle.cancel(task(TaskState.PENDING, 0)));
  }

  @Test
  void a_deadline_and_a_timeout_are_told() {
    assertThat(taskLifecycle.expire(task(TaskState.RETRY_PENDING, 1)).deliveries()).hasSize(2);
    assertThat(taskLifecycle.timeOut(task(TaskState.RUNNING, 0), NOW).deliveries()).hasSize(2);
  }

  @Test
  void what_is_no_news_asks_nobody() {
    taskLifecycle.start(task(TaskState.CLAIMED, 0));
    taskLifecycle.workerLost(task(TaskState.RUNNING, 0));
    taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.HandedBack(), NOW);
    taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Snoozed(Duration.ofHours(1)), NOW);
    taskLifecycle.settle(task(TaskState.RUNNING, 0), new Outcome.Parked("unreadable"), NOW);
    taskLifecycle.pause(task(TaskState.RETRY_PENDING, 1));
    taskLifecycle.resume(task(TaskState.RETRY_PENDING, 1));
    taskLifecycle.retryAt(task(TaskState.RETRY_PENDING, 1), Due.now());
    taskLifecycle.revive(task(TaskState.FAILURE, 1));

    assertThat(asked).isEmpty();
  }

  @Test
  void the_announcer_sees_the_change_as_it_is_written() {
    TaskChange taskChange = taskLifecycle.cancel(task(TaskState.RUNNING, 0));

    assertThat(asked).singleElement().extracting(TaskChange::deliveries).isEqualTo(List.of());
    assertThat(asked.getFirst().attemptDetails()).isEqualTo(taskChange.attemptDetails());
  }

  @Test
  void the_announcer_sees_the_counters_with_what_the_end_adds() {
    List<Progress> seen = new ArrayList<>();
    TaskLifecycle counting =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, taskChange) -> {
              seen.add(before.progress());
              return List.of();
            },
            this::nextId);
    CounterDelta counterDelta = new CounterDelta(5, 2);
    TaskChange taskChange =
        counting.settle(task(TaskState.RUNNING, 0), new Outcome.Succeeded(null), counterDelta, NOW);

    assertThat(seen).containsExactly(new Progress(5, 2, null));
    assertThat(taskChange.counterDelta()).isEqualTo(counterDelta);
  }

  @Test
  void one_change_does_not_announce_without_limit() {
    TaskLifecycle chatty =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, taskChange) ->
                Collections.nCopies(
                    DeliveryPlanner.MAX_DELIVERIES + 1, new DeliveryMessage("a", "{}")),
            this::nextId);

    assertThatThrownBy(() -> chatty.cancel(task(TaskState.PENDING, 0)))
        .hasMessage("a change may cause at most 100 deliveries, not 101");
  }

  @Nested
  class HandedOffTask {

    private Task inLane(@Nullable Duration timeout, @Nullable Long handleEpoch) {
      TaskDefinition taskDefinition =
          new TaskDefinition(
              "a",
              null,
              "{}",
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
    void goes_on_running_without_a_record() {
      TaskChange taskChange =
          taskLifecycle.settle(
              inLane(Duration.ofMinutes(1), 5L), new Outcome.HandedOff("{\"stop\":1}"), NOW);

      assertThat(taskChange.to()).isEqualTo(TaskState.RUNNING);
      assertThat(taskChange.handsOff()).isTrue();
      assertThat(taskChange.cancelAction()).isEqualTo("{\"stop\":1}");
      assertThat(taskChange.attemptDetails()).isNull();
      assertThat(taskChange.deliveries()).isEmpty();
    }

    @Test
    void too_late_it_is_told_to_the_callee() {
      Task task = inLane(Duration.ofMinutes(1), 5L);
      TaskChange late = taskLifecycle.settle(task, new Outcome.HandedOff("{\"stop\":1}"), NOW);
      assertThat(asked).isEmpty();

      assertThat(taskLifecycle.lateCancelDeliveries(task, late)).hasSize(2);
      assertThat(asked).containsExactly(late);
    }

    @Test
    void needs_a_timeout_since_nothing_else_would_end_it() {
      assertThatThrownBy(
              () -> taskLifecycle.settle(inLane(null, 5L), new Outcome.HandedOff(null), NOW))
          .hasMessageContaining("it needs a queue and a timeout");
    }

    @Test
    void needs_a_handle_that_lets_the_callee_end_it() {
      assertThatThrownBy(
              () ->
                  taskLifecycle.settle(
                      inLane(Duration.ofMinutes(1), null), new Outcome.HandedOff(null), NOW))
          .hasMessageContaining("it needs a queue and a timeout");
    }
  }
}
