// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A task gives up its place whenever its attempt ends, and comes back to wait for one. */
abstract class LimitReleaseContract extends LimitContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final TestTask TASK = limited(Limit.concurrency(1));

  LimitReleaseContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Starts a task and submits one that must wait for it. */
  private Task runningBefore(TestTask next) {
    add(TASK);
    Task task = running("a");
    add(next);
    assertThat(claimAll("a")).isEmpty();
    return task;
  }

  /** Asserts that one place is free, and no more. */
  private void assertOneCanStart() {
    add(2, TASK);
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void success_frees_the_place() {
    settle(runningBefore(TASK), SUCCEEDED);
    assertOneCanStart();
  }

  @Test
  void a_failure_for_good_frees_the_place() {
    assertThat(settle(runningBefore(TASK), FAILED_FOR_GOOD).state()).isEqualTo(TaskState.FAILURE);
    assertOneCanStart();
  }

  @Test
  void a_task_that_waits_for_its_retry_has_no_place() {
    Task failed = settle(runningBefore(TASK), FAILED);

    assertThat(failed.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(failed.hold()).containsExactly(HoldReason.LIMITED);
    assertOneCanStart();
  }

  @Test
  void a_due_retry_waits_in_the_order_of_its_due_time() {
    UUID retried = settle(runningBefore(TASK), FAILED).id();
    UUID second = claimAll("a").getFirst();
    UUID earlier = add(TASK, DueTime.in(TestTask.DELAY.minusSeconds(1)));
    UUID later = add(TASK, DueTime.in(TestTask.DELAY.plusSeconds(1)));
    clock.advance(TestTask.DELAY.plusSeconds(2));

    for (UUID next : List.of(earlier, retried, later)) {
      succeedRunning(second);
      assertThat(claimAll("a")).containsExactly(next);
      second = next;
    }
  }

  @Test
  void a_retry_is_not_claimed_before_it_is_due() {
    add(TASK);
    UUID retried = settle(running("a"), FAILED).id();

    assertNextDue(TestTask.DELAY);
    clock.advance(TestTask.DELAY);
    assertThat(claimAll("a")).containsExactly(retried);
  }

  @Test
  void canceling_a_running_task_frees_the_place() {
    write(lifecycle.cancel(runningBefore(TASK)));
    assertOneCanStart();
  }

  @Test
  void canceling_a_waiting_task_frees_nothing() {
    UUID running = runningBefore(TASK).id();
    UUID waiting = add(TASK);
    write(lifecycle.cancel(find(waiting)));
    assertThat(claimAll("a")).isEmpty();

    succeedRunning(running);
    assertOneCanStart();
  }

  @Test
  void a_timeout_frees_the_place() {
    add(TASK.withTimeout(TIMEOUT));
    Task task = remote();
    add(TASK);
    clock.advance(TIMEOUT);
    assertThat(claimAll("a")).isEmpty();

    Task inactive = store.maintenance().inactive(10).tasks().getFirst();
    assertThat(inactive.id()).isEqualTo(task.id());
    write(lifecycle.timeOut(inactive, clock.instant()));
    assertOneCanStart();
  }

  private Task remote() {
    LeaseOwner worker = new LeaseOwner.RemoteOwner("elsewhere", TIMEOUT.multipliedBy(2));
    return store
        .claim(new ClaimRequest(worker, capacities(1, "a"), 1, true))
        .leases()
        .getFirst()
        .task();
  }

  @Test
  void a_task_that_is_handed_back_is_first_again() {
    Task task = runningBefore(TASK);
    settle(task, new Outcome.HandedBack());

    assertThat(claimAll("a")).containsExactly(task.id());
  }

  @Test
  void a_snoozed_task_has_no_place() {
    Task task = runningBefore(TASK);
    settle(task, new Outcome.Snoozed(Duration.ofSeconds(5)));
    UUID second = claimAll("a").getFirst();
    assertThat(second).isNotEqualTo(task.id());
    clock.advance(Duration.ofSeconds(5));

    assertThat(claimAll("a")).isEmpty();
    succeedRunning(second);
    assertThat(claimAll("a")).containsExactly(task.id());
  }

  @Test
  void a_parked_task_has_no_place_and_waits_again_when_it_is_resumed() {
    Task task = runningBefore(TASK);
    settle(task, new Outcome.Parked("no such class"));
    UUID second = claimAll("a").getFirst();
    assertThat(second).isNotEqualTo(task.id());
    succeedRunning(second);
    assertThat(claimAll("a")).isEmpty();

    assertThat(write(lifecycle.resume(find(task.id()))).hold()).containsExactly(HoldReason.LIMITED);
    assertThat(claimAll("a")).containsExactly(task.id());
  }

  @Test
  void a_task_of_a_lost_node_keeps_its_place_until_the_loss_is_written() {
    UUID other = ids.next(0);
    store.nodes().join(new RegisteredNode(other, "second", List.of("a")), Duration.ofSeconds(20));
    add(TASK);
    store.claim(new ClaimRequest(new LeaseOwner.NodeOwner(other), capacities(1, "a"), 1, true));
    add(TASK);
    clock.advance(Duration.ofSeconds(60));
    store.nodes().markExpiredDead(10);
    assertThat(claimAll("a")).isEmpty();

    Task orphan = store.maintenance().orphans(10).tasks().getFirst();
    write(lifecycle.workerLost(orphan));
    assertOneCanStart();
  }

  @Test
  void a_remote_worker_keeps_the_place_until_its_lease_has_expired() {
    add(TASK);
    Task task = remote();
    UUID second = add(TASK);
    clock.advance(TIMEOUT.multipliedBy(2));
    assertThat(claimAll("a")).isEmpty();

    Task orphan = store.maintenance().orphans(10).tasks().getFirst();
    assertThat(orphan.id()).isEqualTo(task.id());
    write(lifecycle.workerLost(orphan));
    assertThat(claimAll("a")).containsExactly(second);
  }

  @Test
  void a_task_that_a_callee_took_over_keeps_its_place() {
    TestTask called = TASK.withQueue(QUEUE).withTimeout(TIMEOUT);
    add(called);
    Task handedOff = settle(running(QUEUE), new Outcome.HandedOff(null));
    UUID second = add(called);
    assertThat(claimAll(QUEUE)).isEmpty();

    settle(handedOff, SUCCEEDED);
    assertThat(claimAll(QUEUE)).containsExactly(second);
  }

  @Test
  void a_refused_change_frees_nothing() {
    Task task = runningBefore(TASK);
    settle(task, SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertRefused(lifecycle.settle(task, SUCCEEDED, clock.instant()));
    add(TASK);

    assertThat(claimAll("a")).isEmpty();
  }

  @Test
  void pausing_a_running_task_frees_nothing_until_its_attempt_ends() {
    Task task = runningBefore(TASK);
    write(lifecycle.pause(task));
    assertThat(claimAll("a")).isEmpty();

    settle(task, FAILED);
    assertOneCanStart();
  }

  @Test
  void a_paused_task_is_not_in_the_way_and_is_first_again_when_it_is_resumed() {
    UUID running = runningBefore(TASK).id();
    UUID paused = add(TASK);
    UUID behind = add(TASK);
    write(lifecycle.pause(find(paused)));
    succeedRunning(running);
    succeedRunning(claimAll("a").getFirst());
    assertThat(claimAll("a")).containsExactly(behind);
    add(TASK);
    write(lifecycle.resume(find(paused)));
    assertThat(claimAll("a")).isEmpty();

    succeedRunning(behind);
    assertThat(claimAll("a")).containsExactly(paused);
  }

  @Test
  void resuming_the_only_task_makes_it_claimable() {
    UUID id = add(TASK);
    write(lifecycle.pause(find(id)));
    assertThat(claimAll("a")).isEmpty();

    write(lifecycle.resume(find(id)));
    assertThat(claimAll("a")).containsExactly(id);
  }

  @Test
  void a_revived_task_waits_for_the_limit_again() {
    add(TASK);
    Task failed = settle(running("a"), FAILED_FOR_GOOD);
    UUID running = add(TASK);
    assertThat(claimAll("a")).containsExactly(running);

    Task revived = write(lifecycle.revive(failed));
    assertThat(revived.hold()).containsExactly(HoldReason.LIMITED);
    assertThat(claimAll("a")).isEmpty();
    succeedRunning(running);
    assertThat(claimAll("a")).containsExactly(failed.id());
  }

  @Test
  void a_rescheduled_task_is_claimed_at_its_new_time() {
    UUID id = add(TASK, DueTime.in(Duration.ofHours(1)));
    assertNextDue(Duration.ofHours(1));

    write(lifecycle.reschedule(find(id), DueTime.in(SECOND)));
    assertNextDue(SECOND);
    clock.advance(SECOND);
    assertThat(claimAll("a")).containsExactly(id);
  }

  @Test
  void a_child_waits_for_the_limit_only_when_its_parents_have_ended() {
    UUID parent = add(unique());
    UUID child = addChild(parent);
    assertThat(claimAll("a")).isEmpty();
    UUID other = add(TASK);
    assertThat(claimAll("a")).containsExactly(other);
    succeed(parent);
    propagate();

    assertStates(List.of(child), "pending");
    assertThat(claimAll("a")).isEmpty();
    succeedRunning(other);
    assertThat(claimAll("a")).containsExactly(child);
  }

  @Test
  void a_child_starts_at_once_when_its_parent_ends_and_there_is_room() {
    UUID parent = add(unique());
    UUID child = addChild(parent);
    assertThat(claimAll("a")).isEmpty();
    succeed(parent);
    propagate();

    assertThat(claimAll("a")).containsExactly(child);
  }

  private UUID addChild(UUID parent) {
    UUID child = ids.next(shard);
    store.submit(
        new Submission(
            ids.next(shard),
            BatchDefinition.NONE,
            List.of(new NewTaskRow(child, TASK.definition(), DueTime.now())),
            List.of(new Dependency(parent, child, true)),
            null));
    return child;
  }

  @Test
  void a_new_run_of_a_batch_has_the_limits_of_the_batch() {
    UUID first = add(TASK);
    Task failed = settle(running("a"), FAILED_FOR_GOOD);
    UUID batch = find(first).batch();
    UUID other = add(TASK);
    assertThat(claimAll("a")).containsExactly(other);
    UUID copy = ids.next(shard);
    DueRun run = new DueRun(batch, 1);
    assertThat(store.batches().runAgain(run)).isTrue();
    assertThat(store.batches().startRun(run, () -> copy)).isOne();

    assertThat(find(copy).definition().rules()).isEqualTo(failed.definition().rules());
    assertThat(find(copy).hold()).containsExactly(HoldReason.LIMITED);
    assertThat(claimAll("a")).isEmpty();
    succeedRunning(other);
    assertThat(claimAll("a")).containsExactly(copy);
  }

  @Test
  void a_new_run_of_a_quiet_limit_starts_at_once() {
    UUID first = add(TASK);
    settle(running("a"), FAILED_FOR_GOOD);
    assertThat(claimAll("a")).isEmpty();
    UUID copy = ids.next(shard);
    DueRun run = new DueRun(find(first).batch(), 1);
    assertThat(store.batches().runAgain(run)).isTrue();
    store.batches().startRun(run, () -> copy);

    assertThat(claimAll("a")).containsExactly(copy);
  }
}
