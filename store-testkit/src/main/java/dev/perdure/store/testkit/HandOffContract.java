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
import dev.perdure.engine.task.Due;
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
 * Tasks of a lane: who claims them, what a handle is bound to, and what a callee has taken over.
 */
abstract class HandOffContract extends StoreContract {

  private static final String QUEUE = "perdure:lane";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String STOP = "{\"kind\": \"Webhook\", \"an\": \"Ärzte 💶\"}";
  private static final Outcome HANDED_OFF = new Outcome.HandedOff(STOP);

  HandOffContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private UUID submitToQueue() {
    return submit(TestTask.retrying("a").withQueue(QUEUE).withTimeout(TIMEOUT));
  }

  /** Running, and in the hands of a callee. */
  private Task handedOff() {
    submitToQueue();
    return settle(running(QUEUE), HANDED_OFF);
  }

  @Test
  void a_lane_is_claimed_by_its_name_and_never_by_the_kind() {
    UUID inLane = submitToQueue();
    UUID plain = submit(TestTask.withoutRetry("a"));

    assertThat(claimedIds(claim(10, "a"))).containsExactly(plain);
    assertThat(claimedIds(claim(10, QUEUE))).containsExactly(inLane);
  }

  @Test
  void a_lane_gets_no_more_than_its_room_from_all_shards_together() {
    for (int i = 0; i < 2 * shards + 2; i++) {
      submitToQueue();
    }
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.NodeOwner(node), List.of(new QueueCapacity(QUEUE, 3)), 100, true);

    assertThat(claimedIds(store.claim(request))).hasSize(3);
  }

  @Test
  void a_lane_counts_with_the_priorities_too() {
    UUID low = submit(TestTask.withoutRetry("a").withQueue(QUEUE).withPriority(-10));
    UUID high = submit(TestTask.withoutRetry("b").withQueue(QUEUE).withPriority(10));
    clock.advance(Duration.ofSeconds(20));

    assertThat(claimedIds(claim(10, "a", "b"))).isEmpty();
    assertThat(claimedIds(claim(10, QUEUE))).containsExactly(high, low);
  }

  @Test
  void the_next_task_of_a_lane_is_told_as_that_of_a_kind() {
    submit(TestTask.withoutRetry("a").withQueue(QUEUE), Due.in(Duration.ofSeconds(7)));

    Duration next = claim(10, QUEUE).nextDue();
    assertThat(next == null || next.equals(Duration.ofSeconds(7))).isTrue();
    Duration none = claim(10, "a").nextDue();
    assertThat(none == null || !none.equals(Duration.ofSeconds(7))).isTrue();
  }

  @Test
  void how_many_items_it_has_is_known_from_the_start() {
    UUID id = ids.next(0);
    NewTaskRow row =
        new NewTaskRow(id, TestTask.withoutRetry("a").definition(), Due.now(), null, 12L);
    store.submit(new Submission(ids.next(0), List.of(row)));

    assertThat(find(id).progress()).isEqualTo(new Progress(0, 0, 12L));
    assertThat(running("a").progress()).isEqualTo(new Progress(0, 0, 12L));
  }

  @Test
  void only_tasks_of_a_lane_have_handles() {
    submit(TestTask.withoutRetry("a"));
    submitToQueue();

    assertThat(running("a").handleEpoch()).isNull();
    assertThat(running(QUEUE).handleEpoch()).isEqualTo(1);
  }

  @Test
  void a_handle_stays_good_while_the_same_attempt_is_begun_again() {
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
  void another_attempt_makes_the_handle_stale() {
    submitToQueue();
    Task waiting = settle(running(QUEUE), FAILED);
    assertThat(waiting.handleEpoch()).isNull();
    clock.advance(TestTask.DELAY);
    assertThat(running(QUEUE).handleEpoch()).isEqualTo(2);
  }

  @Test
  void a_revive_makes_the_handle_stale() {
    submitToQueue();
    Task canceled = write(lifecycle.cancel(running(QUEUE)));
    assertThat(canceled.handleEpoch()).isEqualTo(1);

    assertThat(write(lifecycle.revive(canceled)).handleEpoch()).isNull();
    assertThat(running(QUEUE).handleEpoch()).isEqualTo(2);
  }

  private static void assertSameHolder(Task task, Task other) {
    assertHolder(task, other.epoch(), other.worker(), other.handleEpoch(), other.cancelAction());
  }

  private static void assertHolder(
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
  void what_is_entrusted_goes_on_in_nobodys_hands() {
    submitToQueue();
    Task running = running(QUEUE);
    clock.advance(Duration.ofSeconds(3));
    Task entrusted = settle(running, HANDED_OFF);

    assertThat(entrusted.state()).isEqualTo(TaskState.RUNNING);
    assertHolder(entrusted, 1, null, 1L, STOP);
    assertThat(entrusted.times().startedAt()).isEqualTo(running.times().startedAt());
    assertThat(entrusted.times().updatedAt()).isEqualTo(clock.instant());
    assertThat(attempts(entrusted.id())).isEmpty();
    assertThat(store.nodes().leasesOf(node)).isEmpty();
    assertThat(claim(10, QUEUE).leases()).isEmpty();
  }

  @Test
  void it_is_not_lost_with_the_node_that_entrusted_it() {
    handedOff();
    store.nodes().leave(node);

    assertThat(store.maintenance().orphans(10).tasks()).isEmpty();
  }

  @Test
  void a_loss_that_was_decided_before_is_refused() {
    submitToQueue();
    Task running = running(QUEUE);
    TaskChange loss = lifecycle.workerLost(running);
    settle(running, HANDED_OFF);

    assertRefused(loss);
  }

  @Test
  void its_silence_counts_from_when_it_was_entrusted() {
    submitToQueue();
    Task running = running(QUEUE);
    clock.advance(TIMEOUT.minus(MILLI));
    settle(running, HANDED_OFF);

    clock.advance(TIMEOUT.minus(MILLI));
    assertThat(store.maintenance().inactive(10).tasks()).isEmpty();
    clock.advance(MILLI);
    Task silent = store.maintenance().inactive(10).tasks().getFirst();
    assertThat(silent.cancelAction()).isEqualTo(STOP);

    Task waiting = write(lifecycle.timeOut(silent, clock.instant()));
    assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertHolder(waiting, 1, null, null, null);
    assertThat(waiting.lastResult().failureKind()).isEqualTo("timeout");
  }

  @Test
  void a_sign_of_life_of_the_callee_lets_it_go_on() {
    Task entrusted = handedOff();
    clock.advance(TIMEOUT.minus(MILLI));
    Heartbeat sign = new Heartbeat(entrusted.lease(), 5L, null, null);
    assertThat(store.heartbeat(List.of(sign))).containsExactly(WriteResult.written());

    clock.advance(TIMEOUT.minus(MILLI));
    assertThat(store.maintenance().inactive(10).tasks()).isEmpty();
    Task heard = find(entrusted.id());
    assertSameHolder(heard, entrusted);
    assertThat(heard.progress().success()).isEqualTo(5);
  }

  @Test
  void a_cancel_sees_how_to_stop_the_callee_and_takes_it_away() {
    Task entrusted = handedOff();
    assertThat(find(entrusted.id()).cancelAction()).isEqualTo(STOP);

    Task canceled = write(lifecycle.cancel(entrusted));
    assertThat(canceled.cancelAction()).isNull();
    assertThat(attempts(canceled.id()))
        .singleElement()
        .extracting(record -> record.details().outcome())
        .isEqualTo(AttemptOutcome.CANCELED);
  }

  @Test
  void the_callee_says_how_it_ended() {
    Task entrusted = handedOff();
    clock.advance(Duration.ofSeconds(9));
    Task done = settle(entrusted, new Outcome.Succeeded("{\"n\": 1}"));

    assertThat(done.state()).isEqualTo(TaskState.SUCCESS);
    assertThat(done.lastResult().result()).isEqualTo("{\"n\": 1}");
    assertThat(done.handleEpoch()).isEqualTo(1);
    Attempt record = attempts(done.id()).getFirst();
    assertThat(record.endedAt()).isEqualTo(clock.instant());
    assertThat(record.worker()).isNull();
  }

  @Test
  void a_pause_leaves_it_with_the_callee() {
    Task entrusted = handedOff();

    Task paused = write(lifecycle.pause(entrusted));
    assertSameHolder(paused, entrusted);
    clock.advance(TIMEOUT);
    assertThat(store.maintenance().inactive(10).tasks()).hasSize(1);
  }

  @Test
  void entrusting_it_again_changes_only_the_silence() {
    Task entrusted = handedOff();
    clock.advance(Duration.ofSeconds(1));

    assertSameHolder(settle(entrusted, HANDED_OFF), entrusted);
  }
}
