// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Custody;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Tasks of a lane: who claims them, what a handle is bound to, and what a callee has taken over.
 */
abstract class EntrustContract extends StoreContract {

  private static final String LANE = "perdure:lane";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String STOP = "{\"kind\": \"Webhook\", \"an\": \"Ärzte 💶\"}";
  private static final Outcome ENTRUSTED = new Outcome.Entrusted(STOP);

  EntrustContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private UUID submitInLane() {
    return submit(Given.retrying("a").withLane(LANE).withTimeout(TIMEOUT));
  }

  /** Running, and in the hands of a callee. */
  private Task entrusted() {
    submitInLane();
    return settle(running(LANE), ENTRUSTED);
  }

  @Test
  void a_lane_is_claimed_by_its_name_and_never_by_the_kind() {
    UUID inLane = submitInLane();
    UUID plain = submit(Given.plain("a"));

    assertThat(taken(claim(10, "a"))).containsExactly(plain);
    assertThat(taken(claim(10, LANE))).containsExactly(inLane);
  }

  @Test
  void a_lane_gets_no_more_than_its_room_from_all_shards_together() {
    for (int i = 0; i < 2 * shards + 2; i++) {
      submitInLane();
    }
    ClaimRequest request =
        new ClaimRequest(new Holder.OfNode(node), List.of(new Room(LANE, 3)), 100, true);

    assertThat(taken(store.claim(request))).hasSize(3);
  }

  @Test
  void a_lane_counts_with_the_priorities_too() {
    UUID low = submit(Given.plain("a").withLane(LANE).withPriority(-10));
    UUID high = submit(Given.plain("b").withLane(LANE).withPriority(10));
    clock.advance(Duration.ofSeconds(20));

    assertThat(taken(claim(10, "a", "b"))).isEmpty();
    assertThat(taken(claim(10, LANE))).containsExactly(high, low);
  }

  @Test
  void the_next_task_of_a_lane_is_told_as_that_of_a_kind() {
    submit(Given.plain("a").withLane(LANE), Due.in(Duration.ofSeconds(7)));

    Duration next = claim(10, LANE).nextDue();
    assertThat(next == null || next.equals(Duration.ofSeconds(7))).isTrue();
    Duration none = claim(10, "a").nextDue();
    assertThat(none == null || !none.equals(Duration.ofSeconds(7))).isTrue();
  }

  @Test
  void how_many_items_it_has_is_known_from_the_start() {
    UUID id = ids.next(0);
    NewRow row = new NewRow(id, Given.plain("a").definition(), Due.now(), null, 12L);
    store.submit(new Submission(ids.next(0), List.of(row)));

    assertThat(find(id).progress()).isEqualTo(new Progress(0, 0, 12L));
    assertThat(running("a").progress()).isEqualTo(new Progress(0, 0, 12L));
  }

  @Test
  void only_tasks_of_a_lane_have_handles() {
    submit(Given.plain("a"));
    submitInLane();

    assertThat(running("a").handleEpoch()).isNull();
    assertThat(running(LANE).handleEpoch()).isEqualTo(1);
  }

  @Test
  void a_handle_stays_good_while_the_same_attempt_is_begun_again() {
    UUID id = submitInLane();
    Task lost = write(lifecycle.lose(running(LANE)));
    assertThat(lost.handleEpoch()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    Task handedBack = settle(running(LANE), new Outcome.HandedBack());
    assertThat(handedBack.handleEpoch()).isEqualTo(1);
    Task snoozed = settle(running(LANE), new Outcome.Snoozed(Duration.ofSeconds(1)));
    assertThat(snoozed.handleEpoch()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(1));

    Task again = running(LANE);
    assertThat(again.id()).isEqualTo(id);
    assertThat(again.epoch()).isEqualTo(4);
    assertThat(again.handleEpoch()).isEqualTo(1);
    assertThat(settle(again, SUCCEEDED).handleEpoch()).isEqualTo(1);
  }

  @Test
  void another_attempt_makes_the_handle_stale() {
    submitInLane();
    Task waiting = settle(running(LANE), FAILED);
    assertThat(waiting.handleEpoch()).isNull();
    clock.advance(Given.DELAY);
    assertThat(running(LANE).handleEpoch()).isEqualTo(2);
  }

  @Test
  void a_revive_makes_the_handle_stale() {
    submitInLane();
    Task canceled = write(lifecycle.cancel(running(LANE)));
    assertThat(canceled.handleEpoch()).isEqualTo(1);

    assertThat(write(lifecycle.revive(canceled)).handleEpoch()).isNull();
    assertThat(running(LANE).handleEpoch()).isEqualTo(2);
  }

  @Test
  void what_is_entrusted_goes_on_in_nobodys_hands() {
    submitInLane();
    Task running = running(LANE);
    clock.advance(Duration.ofSeconds(3));
    Task entrusted = settle(running, ENTRUSTED);

    assertThat(entrusted.state()).isEqualTo(TaskState.RUNNING);
    assertThat(entrusted.custody()).isEqualTo(new Custody(1, null, 1L, STOP));
    assertThat(entrusted.times().startedAt()).isEqualTo(running.times().startedAt());
    assertThat(entrusted.times().updatedAt()).isEqualTo(clock.instant());
    assertThat(attempts(entrusted.id())).isEmpty();
    assertThat(store.nodes().held(node)).isEmpty();
    assertThat(claim(10, LANE).leases()).isEmpty();
  }

  @Test
  void it_is_not_lost_with_the_node_that_entrusted_it() {
    entrusted();
    store.nodes().leave(node);

    assertThat(store.sweeps().orphans(10).tasks()).isEmpty();
  }

  @Test
  void a_loss_that_was_decided_before_is_refused() {
    submitInLane();
    Task running = running(LANE);
    Change loss = lifecycle.lose(running);
    settle(running, ENTRUSTED);

    assertRefused(loss);
  }

  @Test
  void its_silence_counts_from_when_it_was_entrusted() {
    submitInLane();
    Task running = running(LANE);
    clock.advance(TIMEOUT.minus(MILLI));
    settle(running, ENTRUSTED);

    clock.advance(TIMEOUT.minus(MILLI));
    assertThat(store.sweeps().silent(10).tasks()).isEmpty();
    clock.advance(MILLI);
    Task silent = store.sweeps().silent(10).tasks().getFirst();
    assertThat(silent.cancelAction()).isEqualTo(STOP);

    Task waiting = write(lifecycle.timeOut(silent, clock.instant()));
    assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(waiting.custody()).isEqualTo(new Custody(1, null, null, null));
    assertThat(waiting.ending().failureKind()).isEqualTo("timeout");
  }

  @Test
  void a_sign_of_life_of_the_callee_lets_it_go_on() {
    Task entrusted = entrusted();
    clock.advance(TIMEOUT.minus(MILLI));
    SignOfLife sign = new SignOfLife(entrusted.lease(), 5L, null, null);
    assertThat(store.signs(List.of(sign))).containsExactly(Verdict.done());

    clock.advance(TIMEOUT.minus(MILLI));
    assertThat(store.sweeps().silent(10).tasks()).isEmpty();
    Task heard = find(entrusted.id());
    assertThat(heard.custody()).isEqualTo(entrusted.custody());
    assertThat(heard.progress().success()).isEqualTo(5);
  }

  @Test
  void a_cancel_sees_how_to_stop_the_callee_and_takes_it_away() {
    Task entrusted = entrusted();
    assertThat(find(entrusted.id()).cancelAction()).isEqualTo(STOP);

    Task canceled = write(lifecycle.cancel(entrusted));
    assertThat(canceled.cancelAction()).isNull();
    assertThat(attempts(canceled.id()))
        .singleElement()
        .extracting(record -> record.note().outcome())
        .isEqualTo(AttemptOutcome.CANCELED);
  }

  @Test
  void the_callee_says_how_it_ended() {
    Task entrusted = entrusted();
    clock.advance(Duration.ofSeconds(9));
    Task done = settle(entrusted, new Outcome.Succeeded("{\"n\": 1}"));

    assertThat(done.state()).isEqualTo(TaskState.SUCCESS);
    assertThat(done.ending().result()).isEqualTo("{\"n\": 1}");
    assertThat(done.handleEpoch()).isEqualTo(1);
    Attempt record = attempts(done.id()).getFirst();
    assertThat(record.endedAt()).isEqualTo(clock.instant());
    assertThat(record.worker()).isNull();
  }

  @Test
  void a_pause_leaves_it_with_the_callee() {
    Task entrusted = entrusted();

    Task paused = write(lifecycle.pause(entrusted));
    assertThat(paused.custody()).isEqualTo(entrusted.custody());
    clock.advance(TIMEOUT);
    assertThat(store.sweeps().silent(10).tasks()).hasSize(1);
  }

  @Test
  void entrusting_it_again_changes_only_the_silence() {
    Task entrusted = entrusted();
    clock.advance(Duration.ofSeconds(1));

    assertThat(settle(entrusted, ENTRUSTED).custody()).isEqualTo(entrusted.custody());
  }
}
