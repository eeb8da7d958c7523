// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.DueTime;
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

/** A claim returns only due tasks and leases each of them to one owner. */
abstract class ClaimContract extends StoreContract {

  ClaimContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_task_is_not_claimed_a_millisecond_early() {
    UUID id = submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofSeconds(10)));

    clock.advance(Duration.ofMillis(9_999));
    assertThat(claim(1, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(claimedIds(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void a_priority_does_not_make_a_task_claimable_early() {
    UUID urgent =
        submit(TestTask.withoutRetry("a").withPriority(1000), DueTime.in(Duration.ofSeconds(10)));
    submit(TestTask.withoutRetry("a").withPriority(-1000), DueTime.in(Duration.ofSeconds(11)));

    clock.advance(Duration.ofMillis(9_999));
    assertThat(claim(2, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(claimedIds(claim(2, "a"))).containsExactly(urgent);
  }

  @Test
  void only_the_requested_kinds_are_claimed() {
    UUID wanted = submit(TestTask.withoutRetry("a"));
    UUID other = submit(TestTask.withoutRetry("b"));

    assertThat(claimedIds(claim(10, "a", "c"))).containsExactly(wanted);
    assertThat(find(other).state()).isEqualTo(TaskState.PENDING);
    assertThat(claim(10).leases()).isEmpty();
  }

  @Test
  void a_kind_is_limited_by_its_free_slots() {
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
  void a_claim_is_limited_in_total() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));

    assertThat(claim(3, "a", "b").leases()).hasSize(3);
    assertThat(claim(3, "a", "b").leases()).hasSize(1);
    assertThat(claim(3, "a", "b").leases()).isEmpty();
  }

  @Test
  void the_earliest_due_task_of_all_kinds_comes_first() {
    UUID second =
        submit(0, List.of(TestTask.withoutRetry("b")), DueTime.in(Duration.ofSeconds(2)))
            .getFirst();
    UUID third =
        submit(0, List.of(TestTask.withoutRetry("a")), DueTime.in(Duration.ofSeconds(3)))
            .getFirst();
    UUID first =
        submit(0, List.of(TestTask.withoutRetry("a")), DueTime.in(Duration.ofSeconds(1)))
            .getFirst();

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
  void a_low_priority_task_runs_if_nothing_else_is_due() {
    UUID id = submit(TestTask.withoutRetry("a").withPriority(-1000));

    assertThat(running("a").id()).isEqualTo(id);
  }

  @Test
  void a_task_that_waited_long_enough_overtakes_a_higher_priority() {
    UUID old = submit(0, List.of(TestTask.withoutRetry("a")), DueTime.now()).getFirst();
    clock.advance(Duration.ofMillis(9_999));
    UUID earlier =
        submit(0, List.of(TestTask.withoutRetry("a").withPriority(10)), DueTime.now()).getFirst();
    clock.advance(Duration.ofMillis(2));
    UUID later =
        submit(0, List.of(TestTask.withoutRetry("a").withPriority(10)), DueTime.now()).getFirst();

    assertThat(claimedIds(claim(3, "a"))).containsExactly(earlier, old, later);
  }

  @Test
  void a_task_past_its_deadline_is_not_claimed() {
    Instant deadline = clock.instant().plusSeconds(10);
    submit(0, List.of(TestTask.withoutRetry("a").withDeadline(deadline)), DueTime.now());
    submit(
        0,
        List.of(TestTask.withoutRetry("a").withDeadline(deadline).withPriority(5)),
        DueTime.now());
    clock.advance(Duration.ofSeconds(10));
    assertThat(claim(10, "a").leases()).isEmpty();
    UUID behind = submit(0, List.of(TestTask.withoutRetry("a")), DueTime.now()).getFirst();

    assertThat(claimedIds(claim(10, "a"))).containsExactly(behind);
    clock.set(deadline.minusMillis(1));
    assertThat(claimedIds(claim(10, "a"))).as("just before the deadline").hasSize(2);
  }

  @Test
  void new_tasks_do_not_overtake_an_overdue_retry() {
    UUID retried = submit(0, List.of(TestTask.retrying("a")), DueTime.now()).getFirst();
    settle(running("a"), FAILED);
    clock.advance(TestTask.DELAY.plusSeconds(1));
    UUID fresh = submit(0, List.of(TestTask.withoutRetry("a")), DueTime.now()).getFirst();

    assertThat(claimedIds(claim(2, "a"))).containsExactly(retried, fresh);
  }

  @Test
  void a_paused_task_is_not_claimed_until_it_is_resumed() {
    UUID id = submit(TestTask.withoutRetry("a"));
    write(lifecycle.pause(find(id)));
    assertThat(claim(1, "a").leases()).isEmpty();

    write(lifecycle.resume(find(id)));
    assertThat(claimedIds(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void a_parked_task_is_not_claimed_until_it_is_resumed() {
    UUID id = submit(TestTask.withoutRetry("a"));
    settle(running("a"), new Outcome.Parked("no such class"));
    assertThat(claim(1, "a").leases()).isEmpty();
    assertThat(store.overview().census().parked()).isEqualTo(1);

    write(lifecycle.resume(find(id)));
    assertThat(claimedIds(claim(1, "a"))).containsExactly(id);
  }

  @Test
  void a_claim_with_start_makes_the_task_running() {
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
  void a_claim_without_start_makes_the_task_claimed() {
    submit(TestTask.withoutRetry("a"));
    Task task = claimed("a");

    assertThat(task).isEqualTo(find(task.id()));
    assertThat(task.state()).isEqualTo(TaskState.CLAIMED);
    assertThat(task.worker()).isEqualTo(node.toString());
    assertThat(task.times().startedAt()).isNull();
  }

  @Test
  void each_claim_increases_the_epoch_by_one() {
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
    return store.claim(
        new ClaimRequest(new LeaseOwner.NodeOwner(node), capacities(1, "a"), 1, false));
  }

  @Test
  void the_first_attempt_has_no_previous_failure() {
    submit(TestTask.withoutRetry("a"));

    assertThat(claim(1, "a").leases()).extracting(Lease::previousFailureKind).containsOnlyNulls();
  }

  @Test
  void the_next_due_hint_is_never_too_late() {
    submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofSeconds(30)));
    submit(TestTask.withoutRetry("a").withPriority(7), DueTime.in(Duration.ofSeconds(20)));
    submit(TestTask.withoutRetry("b"), DueTime.in(Duration.ofSeconds(10)));

    assertHint(claim(5, "a"), Duration.ofSeconds(20));
    assertHint(claim(5, "a", "b"), Duration.ofSeconds(10));
    clock.advance(Duration.ofMillis(9_999));
    assertHint(claim(5, "a", "b"), MILLI);
  }

  private static void assertHint(ClaimResult claimResult, Duration expected) {
    assertThat(claimResult.leases()).isEmpty();
    assertThat(claimResult.nextDue()).isIn(expected, null);
  }

  @Test
  void there_is_no_next_due_hint_while_more_tasks_may_be_due() {
    submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofSeconds(30)));

    assertThat(claim(1, "a").nextDue()).isNull();
  }

  @Test
  void there_is_no_next_due_hint_if_nothing_is_pending() {
    assertThat(claim(1, "a").nextDue()).isNull();
  }
}
