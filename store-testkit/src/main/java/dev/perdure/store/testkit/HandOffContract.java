// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tasks with a queue: how they are claimed, how long a handle is valid, and how a callee takes
 * over.
 */
abstract class HandOffContract extends StoreContract {

  private static final String QUEUE = "perdure:queue";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String STOP = "{\"kind\": \"Webhook\", \"an\": \"Ärzte 💶\"}";
  private static final Outcome HANDED_OFF = new Outcome.HandedOff(STOP);

  HandOffContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private UUID submitToQueue() {
    return submit(TestTask.retrying("a").withQueue(QUEUE).withTimeout(TIMEOUT));
  }

  /** Creates a running task that was handed off to a callee. */
  private Task handedOff() {
    submitToQueue();
    return settle(running(QUEUE), HANDED_OFF);
  }

  @Test
  void a_task_with_a_queue_is_claimed_by_queue_and_never_by_kind() {
    UUID inQueue = submitToQueue();
    UUID withoutQueue = submit(TestTask.withoutRetry("a"));

    assertThat(claimedIds(claim(10, "a"))).containsExactly(withoutQueue);
    assertThat(claimedIds(claim(10, QUEUE))).containsExactly(inQueue);
  }

  @Test
  void the_capacity_of_a_queue_applies_to_all_shards_together() {
    for (int i = 0; i < 2 * shards + 2; i++) {
      submitToQueue();
    }
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.NodeOwner(node), List.of(new QueueCapacity(QUEUE, 3)), 100, true);

    assertThat(claimedIds(store.claim(request))).hasSize(3);
  }

  @Test
  void priorities_apply_within_a_queue() {
    UUID low = submit(TestTask.withoutRetry("a").withQueue(QUEUE).withPriority(-10));
    UUID high = submit(TestTask.withoutRetry("b").withQueue(QUEUE).withPriority(10));
    clock.advance(Duration.ofSeconds(20));

    assertThat(claimedIds(claim(10, "a", "b"))).isEmpty();
    assertThat(claimedIds(claim(10, QUEUE))).containsExactly(high, low);
  }

  @Test
  void the_next_due_hint_works_for_a_queue() {
    submit(TestTask.withoutRetry("a").withQueue(QUEUE), DueTime.in(Duration.ofSeconds(7)));

    Duration next = claim(10, QUEUE).nextDue();
    assertThat(next == null || next.equals(Duration.ofSeconds(7))).isTrue();
    Duration none = claim(10, "a").nextDue();
    assertThat(none == null || !none.equals(Duration.ofSeconds(7))).isTrue();
  }

  @Test
  void the_expected_count_can_be_submitted() {
    UUID id = ids.next(0);
    NewTaskRow row =
        new NewTaskRow(id, TestTask.withoutRetry("a").definition(), DueTime.now(), null, 12L);
    store.submit(new Submission(ids.next(0), List.of(row)));

    assertThat(find(id).progress()).isEqualTo(new Progress(0, 0, 12L));
    assertThat(running("a").progress()).isEqualTo(new Progress(0, 0, 12L));
  }

  @Test
  void only_tasks_with_a_queue_have_handles() {
    submit(TestTask.withoutRetry("a"));
    submitToQueue();

    assertThat(running("a").handleEpoch()).isNull();
    assertThat(running(QUEUE).handleEpoch()).isEqualTo(1);
  }

  @Test
  void a_handle_stays_valid_for_all_leases_of_an_attempt() {
    UUID id = submitToQueue();
    Task lost = write(lifecycle.workerLost(running(QUEUE)));
    assertThat(lost.handleEpoch()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    Task handedBack = settle(running(QUEUE), new Outcome.HandedBack());
    assertThat(handedBack.handleEpoch()).isEqualTo(1);
    Task snoozed = settle(running(QUEUE), new Outcome.Snoozed(Duration.ofSeconds(1)));
    assertThat(snoozed.handleEpoch()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(1));

    Task again = running(QUEUE);
    assertThat(again.id()).isEqualTo(id);
    assertThat(again.epoch()).isEqualTo(4);
    assertThat(again.handleEpoch()).isEqualTo(1);
    assertThat(settle(again, SUCCEEDED).handleEpoch()).isEqualTo(1);
  }

  @Test
  void the_next_attempt_invalidates_the_handle() {
    submitToQueue();
    Task waiting = settle(running(QUEUE), FAILED);
    assertThat(waiting.handleEpoch()).isNull();
    clock.advance(TestTask.DELAY);
    assertThat(running(QUEUE).handleEpoch()).isEqualTo(2);
  }

  @Test
  void a_revive_invalidates_the_handle() {
    submitToQueue();
    Task canceled = write(lifecycle.cancel(running(QUEUE)));
    assertThat(canceled.handleEpoch()).isEqualTo(1);

    assertThat(write(lifecycle.revive(canceled)).handleEpoch()).isNull();
    assertThat(running(QUEUE).handleEpoch()).isEqualTo(2);
  }

  private static void assertSameLeaseFields(Task task, Task other) {
    assertLeaseFields(
        task, other.epoch(), other.worker(), other.handleEpoch(), other.cancelAction());
  }

  private static void assertLeaseFields(
      Task task,
      long epoch,
      @Nullable String worker,
      @Nullable Long handleEpoch,
      @Nullable String cancelAction) {
    assertThat(task.epoch()).isEqualTo(epoch);
    assertThat(task.worker()).isEqualTo(worker);
    assertThat(task.handleEpoch()).isEqualTo(handleEpoch);
    assertThat(task.cancelAction()).isEqualTo(cancelAction);
  }

  @Test
  void a_handed_off_task_runs_without_an_owner() {
    submitToQueue();
    Task running = running(QUEUE);
    clock.advance(Duration.ofSeconds(3));
    Task handedOff = settle(running, HANDED_OFF);

    assertThat(handedOff.state()).isEqualTo(TaskState.RUNNING);
    assertLeaseFields(handedOff, 1, null, 1L, STOP);
    assertThat(handedOff.times().startedAt()).isEqualTo(running.times().startedAt());
    assertThat(handedOff.times().updatedAt()).isEqualTo(clock.instant());
    assertThat(attempts(handedOff.id())).isEmpty();
    assertThat(store.nodes().leasesOf(node)).isEmpty();
    assertThat(claim(10, QUEUE).leases()).isEmpty();
  }

  @Test
  void a_handed_off_task_is_not_lost_with_its_node() {
    handedOff();
    store.nodes().leave(node);

    assertThat(store.maintenance().orphans(10).tasks()).isEmpty();
  }

  @Test
  void a_loss_decided_before_the_hand_off_is_refused() {
    submitToQueue();
    Task running = running(QUEUE);
    TaskChange loss = lifecycle.workerLost(running);
    settle(running, HANDED_OFF);

    assertRefused(loss);
  }

  @Test
  void the_timeout_counts_from_the_hand_off() {
    submitToQueue();
    Task running = running(QUEUE);
    clock.advance(TIMEOUT.minus(MILLI));
    settle(running, HANDED_OFF);

    clock.advance(TIMEOUT.minus(MILLI));
    assertThat(store.maintenance().inactive(10).tasks()).isEmpty();
    clock.advance(MILLI);
    Task inactive = store.maintenance().inactive(10).tasks().getFirst();
    assertThat(inactive.cancelAction()).isEqualTo(STOP);

    Task waiting = write(lifecycle.timeOut(inactive, clock.instant()));
    assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertLeaseFields(waiting, 1, null, null, null);
    assertThat(waiting.lastResult().failureKind()).isEqualTo("timeout");
  }

  @Test
  void a_heartbeat_of_the_callee_restarts_the_timeout() {
    Task handedOff = handedOff();
    clock.advance(TIMEOUT.minus(MILLI));
    Heartbeat heartbeat = new Heartbeat(handedOff.lease(), 5L, null, null);
    assertThat(store.heartbeat(List.of(heartbeat))).containsExactly(WriteResult.written());

    clock.advance(TIMEOUT.minus(MILLI));
    assertThat(store.maintenance().inactive(10).tasks()).isEmpty();
    Task afterHeartbeat = find(handedOff.id());
    assertSameLeaseFields(afterHeartbeat, handedOff);
    assertThat(afterHeartbeat.progress().success()).isEqualTo(5);
  }

  @Test
  void a_cancel_reads_and_clears_the_cancel_action() {
    Task handedOff = handedOff();
    assertThat(find(handedOff.id()).cancelAction()).isEqualTo(STOP);

    Task canceled = write(lifecycle.cancel(handedOff));
    assertThat(canceled.cancelAction()).isNull();
    assertThat(attempts(canceled.id()))
        .singleElement()
        .extracting(record -> record.details().outcome())
        .isEqualTo(AttemptOutcome.CANCELED);
  }

  @Test
  void the_callee_can_settle_the_task() {
    Task handedOff = handedOff();
    clock.advance(Duration.ofSeconds(9));
    Task done = settle(handedOff, new Outcome.Succeeded("{\"n\": 1}"));

    assertThat(done.state()).isEqualTo(TaskState.SUCCESS);
    assertThat(done.lastResult().result()).isEqualTo("{\"n\": 1}");
    assertThat(done.handleEpoch()).isEqualTo(1);
    Attempt record = attempts(done.id()).getFirst();
    assertThat(record.endedAt()).isEqualTo(clock.instant());
    assertThat(record.worker()).isNull();
  }

  @Test
  void a_pause_does_not_affect_a_handed_off_attempt() {
    Task handedOff = handedOff();

    Task paused = write(lifecycle.pause(handedOff));
    assertSameLeaseFields(paused, handedOff);
    clock.advance(TIMEOUT);
    assertThat(store.maintenance().inactive(10).tasks()).hasSize(1);
  }

  @Test
  void repeating_a_hand_off_only_restarts_the_timeout() {
    Task handedOff = handedOff();
    clock.advance(Duration.ofSeconds(1));

    assertSameLeaseFields(settle(handedOff, HANDED_OFF), handedOff);
  }
}
