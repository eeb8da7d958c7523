// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
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
    UUID id = submit(TestTask.withoutRetry("a"), Due.in(Duration.ofSeconds(10)));

    clock.advance(Duration.ofMillis(9_999));
    assertThat(claim(1, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(claimedIds(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void takes_nothing_early_whatever_its_priority() {
    UUID urgent =
        submit(TestTask.withoutRetry("a").withPriority(1000), Due.in(Duration.ofSeconds(10)));
    submit(TestTask.withoutRetry("a").withPriority(-1000), Due.in(Duration.ofSeconds(11)));

    clock.advance(Duration.ofMillis(9_999));
    assertThat(claim(2, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(claimedIds(claim(2, "a"))).containsExactly(urgent);
  }

  @Test
  void takes_only_the_kinds_asked_for() {
    UUID wanted = submit(TestTask.withoutRetry("a"));
    UUID other = submit(TestTask.withoutRetry("b"));

    assertThat(claimedIds(claim(10, "a", "c"))).containsExactly(wanted);
    assertThat(find(other).state()).isEqualTo(TaskState.PENDING);
    assertThat(claim(10).leases()).isEmpty();
  }

  @Test
  void takes_no_more_of_a_kind_than_there_is_room_for() {
    submitAll(
        TestTask.withoutRetry("a"),
        TestTask.withoutRetry("a"),
        TestTask.withoutRetry("a"),
        TestTask.withoutRetry("b"));

    ClaimResult claimResult =
        claim(
            List.of(
                new QueueCapacity("a", 2), new QueueCapacity("b", 5), new QueueCapacity("c", 0)),
            10);

    assertThat(claimResult.leases())
        .extracting(lease -> lease.task().definition().kind())
        .containsExactlyInAnyOrder("a", "a", "b");
    assertThat(claim(List.of(new QueueCapacity("a", 0)), 10).leases()).isEmpty();
  }

  private ClaimResult claim(List<QueueCapacity> queueCapacities, int limit) {
    return store.claim(
        new ClaimRequest(new LeaseOwner.NodeOwner(node), queueCapacities, limit, true));
  }

  @Test
  void takes_no_more_in_all_than_asked_for() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));

    assertThat(claim(3, "a", "b").leases()).hasSize(3);
    assertThat(claim(3, "a", "b").leases()).hasSize(1);
    assertThat(claim(3, "a", "b").leases()).isEmpty();
  }

  @Test
  void what_is_due_longest_comes_first_over_all_kinds() {
    UUID second =
        submit(0, List.of(TestTask.withoutRetry("b")), Due.in(Duration.ofSeconds(2))).getFirst();
    UUID third =
        submit(0, List.of(TestTask.withoutRetry("a")), Due.in(Duration.ofSeconds(3))).getFirst();
    UUID first =
        submit(0, List.of(TestTask.withoutRetry("a")), Due.in(Duration.ofSeconds(1))).getFirst();

    clock.advance(Duration.ofSeconds(3));
    assertThat(claimedIds(claim(2, "a", "b"))).containsExactly(first, second);
    assertThat(claimedIds(claim(2, "a", "b"))).containsExactly(third);
  }

  @Test
  void a_higher_priority_comes_first() {
    List<UUID> tasks =
        submitAll(
            TestTask.withoutRetry("a"),
            TestTask.withoutRetry("b").withPriority(5),
            TestTask.withoutRetry("a").withPriority(-5),
            TestTask.withoutRetry("a").withPriority(1000));

    assertThat(claimedIds(claim(10, "a", "b")))
        .containsExactly(tasks.get(3), tasks.get(1), tasks.get(0), tasks.get(2));
  }

  @Test
  void a_low_priority_runs_when_nothing_else_does() {
    UUID id = submit(TestTask.withoutRetry("a").withPriority(-1000));

    assertThat(running("a").id()).isEqualTo(id);
  }

  @Test
  void what_waited_long_enough_overtakes_a_higher_priority() {
    UUID old = submit(0, List.of(TestTask.withoutRetry("a")), Due.now()).getFirst();
    clock.advance(Duration.ofMillis(9_999));
    UUID nine =
        submit(0, List.of(TestTask.withoutRetry("a").withPriority(10)), Due.now()).getFirst();
    clock.advance(Duration.ofMillis(2));
    UUID late =
        submit(0, List.of(TestTask.withoutRetry("a").withPriority(10)), Due.now()).getFirst();

    assertThat(claimedIds(claim(3, "a"))).containsExactly(nine, old, late);
  }

  @Test
  void what_is_past_its_deadline_is_not_begun() {
    Instant deadline = clock.instant().plusSeconds(10);
    submit(0, List.of(TestTask.withoutRetry("a").withDeadline(deadline)), Due.now());
    submit(
        0, List.of(TestTask.withoutRetry("a").withDeadline(deadline).withPriority(5)), Due.now());
    clock.advance(Duration.ofSeconds(10));
    assertThat(claim(10, "a").leases()).isEmpty();
    UUID behind = submit(0, List.of(TestTask.withoutRetry("a")), Due.now()).getFirst();

    assertThat(claimedIds(claim(10, "a"))).containsExactly(behind);
    clock.set(deadline.minusMillis(1));
    assertThat(claimedIds(claim(10, "a"))).as("just before it").hasSize(2);
  }

  /** Fault 19. */
  @Test
  void fresh_tasks_do_not_overtake_an_overdue_retry() {
    UUID retried = submit(0, List.of(TestTask.retrying("a")), Due.now()).getFirst();
    settle(running("a"), FAILED);
    clock.advance(TestTask.DELAY.plusSeconds(1));
    UUID fresh = submit(0, List.of(TestTask.withoutRetry("a")), Due.now()).getFirst();

    assertThat(claimedIds(claim(2, "a"))).containsExactly(retried, fresh);
  }

  @Test
  void what_is_paused_is_not_taken_until_it_is_resumed() {
    UUID id = submit(TestTask.withoutRetry("a"));
    write(lifecycle.pause(find(id)));
    assertThat(claim(1, "a").leases()).isEmpty();

    write(lifecycle.resume(find(id)));
    assertThat(claimedIds(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void what_is_parked_is_not_taken_until_it_is_resumed() {
    UUID id = submit(TestTask.withoutRetry("a"));
    settle(running("a"), new Outcome.Parked("no such class"));
    assertThat(claim(1, "a").leases()).isEmpty();

    write(lifecycle.resume(find(id)));
    assertThat(claimedIds(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void a_claim_that_starts_makes_it_running() {
    submit(TestTask.withoutRetry("a"));
    clock.advance(Duration.ofSeconds(5));
    ClaimResult claimResult = claim(1, "a");

    Task task = claimResult.leases().getFirst().task();
    assertThat(claimResult.now()).isEqualTo(clock.instant());
    assertThat(task).isEqualTo(find(task.id()));
    assertThat(task.state()).isEqualTo(TaskState.RUNNING);
    assertThat(task.worker()).isEqualTo(node.toString());
    assertThat(task.epoch()).isEqualTo(1);
    assertThat(task.times().startedAt()).isEqualTo(clock.instant());
    assertThat(task.times().updatedAt()).isEqualTo(clock.instant());
  }

  @Test
  void a_claim_that_does_not_start_makes_it_claimed() {
    submit(TestTask.withoutRetry("a"));
    Task task = claimed("a");

    assertThat(task).isEqualTo(find(task.id()));
    assertThat(task.state()).isEqualTo(TaskState.CLAIMED);
    assertThat(task.worker()).isEqualTo(node.toString());
    assertThat(task.times().startedAt()).isNull();
  }

  @Test
  void each_claim_of_a_task_has_an_epoch_one_higher() {
    submit(TestTask.withoutRetry("a"));
    for (int epoch = 1; epoch <= 5; epoch++) {
      Task task = running("a");
      assertThat(task.epoch()).isEqualTo(epoch);
      assertThat(task.retryCounters().attempt()).isZero();
      settle(task, new Outcome.HandedBack());
    }
  }

  @Test
  void a_failure_is_visible_until_its_retry_is_claimed() {
    UUID id = submit(TestTask.retrying("a"));
    settle(running("a"), FAILED);
    clock.advance(TestTask.DELAY);

    Task waiting = find(id);
    assertThat(waiting.lastResult().failureKind()).isEqualTo("explicit");
    assertThat(waiting.lastResult().failureCode()).isEqualTo("again");
    assertThat(waiting.times().startedAt()).isEqualTo(FakeClock.START);

    Lease lease = claimUnstarted().leases().getFirst();
    assertThat(lease.previousFailureKind()).isEqualTo("explicit");
    assertThat(lease.task()).isEqualTo(find(id));
    assertThat(lease.task().lastResult()).isEqualTo(LastResult.NONE);
    assertThat(lease.task().times().startedAt()).isNull();
    assertThat(lease.task().retryCounters().attempt()).isEqualTo(1);
  }

  private ClaimResult claimUnstarted() {
    return store.claim(new ClaimRequest(new LeaseOwner.NodeOwner(node), rooms(1, "a"), 1, false));
  }

  @Test
  void the_first_attempt_has_no_failure_before() {
    submit(TestTask.withoutRetry("a"));

    assertThat(claim(1, "a").leases()).extracting(Lease::previousFailureKind).containsOnlyNulls();
  }

  @Test
  void the_hint_is_never_later_than_what_is_due_next() {
    submit(TestTask.withoutRetry("a"), Due.in(Duration.ofSeconds(30)));
    submit(TestTask.withoutRetry("a").withPriority(7), Due.in(Duration.ofSeconds(20)));
    submit(TestTask.withoutRetry("b"), Due.in(Duration.ofSeconds(10)));

    assertHint(claim(5, "a"), Duration.ofSeconds(20));
    assertHint(claim(5, "a", "b"), Duration.ofSeconds(10));
    clock.advance(Duration.ofMillis(9_999));
    assertHint(claim(5, "a", "b"), MILLI);
  }

  private static void assertHint(ClaimResult claimResult, Duration right) {
    assertThat(claimResult.leases()).isEmpty();
    assertThat(claimResult.nextDue()).isIn(right, null);
  }

  @Test
  void there_is_no_hint_while_there_may_be_more_now() {
    submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"), Due.in(Duration.ofSeconds(30)));

    assertThat(claim(1, "a").nextDue()).isNull();
  }

  @Test
  void the_hint_may_be_missing_but_not_wrong_when_nothing_waits() {
    assertThat(claim(1, "a").nextDue()).isNull();
  }
}
