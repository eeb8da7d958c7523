// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Ending;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A claim takes what is due and nothing else, and gives the right to run it to one claimer. */
abstract class ClaimContract extends StoreContract {

  ClaimContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void takes_nothing_a_millisecond_early() {
    UUID id = submit(Given.plain("a"), Due.in(Duration.ofSeconds(10)));

    clock.advance(Duration.ofMillis(9_999));
    assertThat(claim(1, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(taken(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void takes_nothing_early_whatever_its_priority() {
    UUID urgent = submit(Given.plain("a").withPriority(1000), Due.in(Duration.ofSeconds(10)));
    submit(Given.plain("a").withPriority(-1000), Due.in(Duration.ofSeconds(11)));

    clock.advance(Duration.ofMillis(9_999));
    assertThat(claim(2, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(taken(claim(2, "a"))).containsExactly(urgent);
  }

  @Test
  void takes_only_the_kinds_asked_for() {
    UUID wanted = submit(Given.plain("a"));
    UUID other = submit(Given.plain("b"));

    assertThat(taken(claim(10, "a", "c"))).containsExactly(wanted);
    assertThat(find(other).state()).isEqualTo(TaskState.PENDING);
    assertThat(claim(10).leases()).isEmpty();
  }

  @Test
  void takes_no_more_of_a_kind_than_there_is_room_for() {
    submitAll(Given.plain("a"), Given.plain("a"), Given.plain("a"), Given.plain("b"));

    Claimed claimed = claim(List.of(new Room("a", 2), new Room("b", 5), new Room("c", 0)), 10);

    assertThat(claimed.leases())
        .extracting(lease -> lease.task().definition().kind())
        .containsExactlyInAnyOrder("a", "a", "b");
    assertThat(claim(List.of(new Room("a", 0)), 10).leases()).isEmpty();
  }

  private Claimed claim(List<Room> rooms, int limit) {
    return store.claim(new ClaimRequest(new Holder.OfNode(node), rooms, limit, true));
  }

  @Test
  void takes_no_more_in_all_than_asked_for() {
    submit(Given.plain("a"));
    submit(Given.plain("b"));
    submit(Given.plain("a"));
    submit(Given.plain("b"));

    assertThat(claim(3, "a", "b").leases()).hasSize(3);
    assertThat(claim(3, "a", "b").leases()).hasSize(1);
    assertThat(claim(3, "a", "b").leases()).isEmpty();
  }

  @Test
  void what_is_due_longest_comes_first_over_all_kinds() {
    UUID second = submit(0, List.of(Given.plain("b")), Due.in(Duration.ofSeconds(2))).getFirst();
    UUID third = submit(0, List.of(Given.plain("a")), Due.in(Duration.ofSeconds(3))).getFirst();
    UUID first = submit(0, List.of(Given.plain("a")), Due.in(Duration.ofSeconds(1))).getFirst();

    clock.advance(Duration.ofSeconds(3));
    assertThat(taken(claim(2, "a", "b"))).containsExactly(first, second);
    assertThat(taken(claim(2, "a", "b"))).containsExactly(third);
  }

  @Test
  void a_higher_priority_comes_first() {
    List<UUID> tasks =
        submitAll(
            Given.plain("a"),
            Given.plain("b").withPriority(5),
            Given.plain("a").withPriority(-5),
            Given.plain("a").withPriority(1000));

    assertThat(taken(claim(10, "a", "b")))
        .containsExactly(tasks.get(3), tasks.get(1), tasks.get(0), tasks.get(2));
  }

  @Test
  void a_low_priority_runs_when_nothing_else_does() {
    UUID id = submit(Given.plain("a").withPriority(-1000));

    assertThat(running("a").id()).isEqualTo(id);
  }

  @Test
  void what_waited_long_enough_overtakes_a_higher_priority() {
    UUID old = submit(0, List.of(Given.plain("a")), Due.now()).getFirst();
    clock.advance(Duration.ofMillis(9_999));
    UUID nine = submit(0, List.of(Given.plain("a").withPriority(10)), Due.now()).getFirst();
    clock.advance(Duration.ofMillis(2));
    UUID late = submit(0, List.of(Given.plain("a").withPriority(10)), Due.now()).getFirst();

    assertThat(taken(claim(3, "a"))).containsExactly(nine, old, late);
  }

  @Test
  void what_is_past_its_deadline_is_not_begun() {
    Instant deadline = clock.instant().plusSeconds(10);
    submit(0, List.of(Given.plain("a").withDeadline(deadline)), Due.now());
    submit(0, List.of(Given.plain("a").withDeadline(deadline).withPriority(5)), Due.now());
    clock.advance(Duration.ofSeconds(10));
    assertThat(claim(10, "a").leases()).isEmpty();
    UUID behind = submit(0, List.of(Given.plain("a")), Due.now()).getFirst();

    assertThat(taken(claim(10, "a"))).containsExactly(behind);
    clock.set(deadline.minusMillis(1));
    assertThat(taken(claim(10, "a"))).as("just before it").hasSize(2);
  }

  /** Fault 19. */
  @Test
  void fresh_tasks_do_not_overtake_an_overdue_retry() {
    UUID retried = submit(0, List.of(Given.retrying("a")), Due.now()).getFirst();
    settle(running("a"), FAILED);
    clock.advance(Given.DELAY.plusSeconds(1));
    UUID fresh = submit(0, List.of(Given.plain("a")), Due.now()).getFirst();

    assertThat(taken(claim(2, "a"))).containsExactly(retried, fresh);
  }

  @Test
  void what_is_paused_is_not_taken_until_it_is_resumed() {
    UUID id = submit(Given.plain("a"));
    write(lifecycle.pause(find(id)));
    assertThat(claim(1, "a").leases()).isEmpty();

    write(lifecycle.resume(find(id)));
    assertThat(taken(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void what_is_parked_is_not_taken_until_it_is_resumed() {
    UUID id = submit(Given.plain("a"));
    settle(running("a"), new Outcome.Parked("no such class"));
    assertThat(claim(1, "a").leases()).isEmpty();

    write(lifecycle.resume(find(id)));
    assertThat(taken(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void a_claim_that_starts_makes_it_running() {
    submit(Given.plain("a"));
    clock.advance(Duration.ofSeconds(5));
    Claimed claimed = claim(1, "a");

    Task task = claimed.leases().getFirst().task();
    assertThat(claimed.now()).isEqualTo(clock.instant());
    assertThat(task).isEqualTo(find(task.id()));
    assertThat(task.state()).isEqualTo(TaskState.RUNNING);
    assertThat(task.worker()).isEqualTo(node.toString());
    assertThat(task.epoch()).isEqualTo(1);
    assertThat(task.times().startedAt()).isEqualTo(clock.instant());
    assertThat(task.times().updatedAt()).isEqualTo(clock.instant());
  }

  @Test
  void a_claim_that_does_not_start_makes_it_claimed() {
    submit(Given.plain("a"));
    Task task = claimed("a");

    assertThat(task).isEqualTo(find(task.id()));
    assertThat(task.state()).isEqualTo(TaskState.CLAIMED);
    assertThat(task.worker()).isEqualTo(node.toString());
    assertThat(task.times().startedAt()).isNull();
  }

  @Test
  void each_claim_of_a_task_has_an_epoch_one_higher() {
    submit(Given.plain("a"));
    for (int epoch = 1; epoch <= 5; epoch++) {
      Task task = running("a");
      assertThat(task.epoch()).isEqualTo(epoch);
      assertThat(task.counting().attempt()).isZero();
      settle(task, new Outcome.HandedBack());
    }
  }

  @Test
  void a_failure_is_visible_until_its_retry_is_claimed() {
    UUID id = submit(Given.retrying("a"));
    settle(running("a"), FAILED);
    clock.advance(Given.DELAY);

    Task waiting = find(id);
    assertThat(waiting.ending().failureKind()).isEqualTo("explicit");
    assertThat(waiting.ending().failureCode()).isEqualTo("again");
    assertThat(waiting.times().startedAt()).isEqualTo(FakeClock.START);

    Lease lease = claimUnstarted().leases().getFirst();
    assertThat(lease.failureBefore()).isEqualTo("explicit");
    assertThat(lease.task()).isEqualTo(find(id));
    assertThat(lease.task().ending()).isEqualTo(Ending.NONE);
    assertThat(lease.task().times().startedAt()).isNull();
    assertThat(lease.task().counting().attempt()).isEqualTo(1);
  }

  private Claimed claimUnstarted() {
    return store.claim(new ClaimRequest(new Holder.OfNode(node), rooms(1, "a"), 1, false));
  }

  @Test
  void the_first_attempt_has_no_failure_before() {
    submit(Given.plain("a"));

    assertThat(claim(1, "a").leases()).extracting(Lease::failureBefore).containsOnlyNulls();
  }

  @Test
  void the_hint_is_never_later_than_what_is_due_next() {
    submit(Given.plain("a"), Due.in(Duration.ofSeconds(30)));
    submit(Given.plain("a").withPriority(7), Due.in(Duration.ofSeconds(20)));
    submit(Given.plain("b"), Due.in(Duration.ofSeconds(10)));

    assertHint(claim(5, "a"), Duration.ofSeconds(20));
    assertHint(claim(5, "a", "b"), Duration.ofSeconds(10));
    clock.advance(Duration.ofMillis(9_999));
    assertHint(claim(5, "a", "b"), MILLI);
  }

  private static void assertHint(Claimed claimed, Duration right) {
    assertThat(claimed.leases()).isEmpty();
    assertThat(claimed.nextDue()).isIn(right, null);
  }

  @Test
  void there_is_no_hint_while_there_may_be_more_now() {
    submitAll(Given.plain("a"), Given.plain("a"));
    submit(Given.plain("a"), Due.in(Duration.ofSeconds(30)));

    assertThat(claim(1, "a").nextDue()).isNull();
  }

  @Test
  void the_hint_may_be_missing_but_not_wrong_when_nothing_waits() {
    assertThat(claim(1, "a").nextDue()).isNull();
  }
}
