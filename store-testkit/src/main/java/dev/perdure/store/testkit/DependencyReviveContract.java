// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Ended tasks that come back, and what becomes of the tasks around them. */
abstract class DependencyReviveContract extends GraphContract {

  private static final Duration AGE = Duration.ofDays(1);

  DependencyReviveContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_revived_parent_brings_its_children_back_at_any_depth() {
    List<UUID> ids = graph("0>1 1>2 2>3");
    fail(ids.getFirst());
    propagate();
    clock.advance(AGE);
    revive(ids.getFirst());
    propagate();

    assertStates(ids, "pending waiting waiting waiting");
    Task last = find(ids.get(3));
    assertThat(last.retryCounters()).isEqualTo(new RetryCounters(1, 0, 1, null));
    assertThat(last.lastResult().giveUpReason()).isNull();
    assertThat(last.times().endedAt()).isNull();
    for (UUID id : ids) {
      succeed(id);
      propagate();
    }
    assertStates(ids, "success success success success");
  }

  @Test
  void told_late_a_parent_that_failed_and_then_succeeded_has_only_succeeded() {
    List<UUID> ids = graph("0>1 0~2");
    fail(ids.getFirst());
    revive(ids.getFirst());
    succeed(ids.getFirst());
    propagate();

    assertStates(ids, "success pending pending");
    assertThat(find(ids.get(1)).retryCounters().attempt()).isZero();
  }

  @Test
  void told_after_the_revive_the_children_never_hear_of_the_failure() {
    List<UUID> ids = graph("0>1 0~2");
    fail(ids.getFirst());
    revive(ids.getFirst());
    propagate();

    assertStates(ids, "pending waiting waiting");
    assertThat(counts(ids.get(1))).isEqualTo(new DependencyCounts(1, 0));
  }

  @Test
  void a_child_that_has_not_failed_yet_waits_again() {
    List<UUID> ids = graph("0>1 1>2");
    fail(ids.getFirst());
    assertThat(propagateOnce().undecided()).contains(ids.get(1));
    Task doomed = find(ids.get(1));
    revive(ids.getFirst());
    propagate();

    assertStates(ids, "pending waiting waiting");
    assertThat(counts(ids.get(1))).isEqualTo(new DependencyCounts(1, 0));
    assertRefused(lifecycle.failUpstream(doomed));
  }

  @Test
  void a_decision_is_asked_for_until_it_is_written() {
    List<UUID> ids = graph("0>1");
    fail(ids.getFirst());

    assertThat(propagateOnce().undecided()).containsExactly(ids.getLast());
    Propagation again = propagateOnce();
    assertThat(again.undecided()).containsExactly(ids.getLast());
    assertThat(again.dependencies()).isZero();
    write(lifecycle.failUpstream(find(ids.getLast())));
    assertThat(propagateOnce().undecided()).isEmpty();
    assertThat(propagateOnce()).isEqualTo(Propagation.NONE);
  }

  @Test
  void a_child_whose_other_parent_failed_too_comes_back_with_the_last_of_them() {
    List<UUID> ids = graph("0>2 1>2");
    fail(ids.get(0));
    fail(ids.get(1));
    propagate();
    assertThat(counts(ids.get(2))).isEqualTo(new DependencyCounts(2, 2));

    revive(ids.get(0));
    propagate();
    assertStates(ids, "pending failure failure");
    assertThat(counts(ids.get(2))).isEqualTo(new DependencyCounts(2, 1));
    revive(ids.get(1));
    propagate();
    assertStates(ids, "pending pending waiting");
  }

  @Test
  void a_child_that_failed_for_a_reason_of_its_own_does_not_come_back() {
    List<UUID> ids = graph("0~1 0>2");
    fail(ids.getFirst());
    cancel(ids.get(2));
    propagate();
    fail(ids.get(1));
    revive(ids.getFirst());
    propagate();

    assertStates(ids, "pending failure canceled");
    assertThat(counts(ids.get(2))).isEqualTo(new DependencyCounts(1, 0));
  }

  @Test
  void who_only_waited_for_the_end_does_not_wait_again() {
    List<UUID> ids = graph("0~1");
    fail(ids.getFirst());
    propagate();
    revive(ids.getFirst());
    propagate();

    assertStates(ids, "pending pending");
    assertThat(counts(ids.getLast())).isEqualTo(DependencyCounts.NONE);
  }

  @Test
  void a_canceled_child_is_revived_to_wait_for_its_parents() {
    List<UUID> ids = graph("0>1");
    cancel(ids.getLast());
    revive(ids.getLast());
    assertStates(ids, "pending waiting");

    succeed(ids.getFirst());
    propagate();
    assertStates(ids, "success pending");
  }

  /** Otherwise it would wait for ever: the last parent has told it already. */
  @Test
  void a_revive_is_refused_when_the_dependencies_changed_meanwhile() {
    List<UUID> ids = graph("0>1 2>3");
    cancel(ids.get(1));
    cancel(ids.get(3));
    TaskChange toWait = lifecycle.revive(find(ids.get(1)));
    TaskChange toWaitToo = lifecycle.revive(find(ids.get(3)));
    succeed(ids.get(0));
    fail(ids.get(2));
    propagate();

    assertRefused(toWait);
    assertRefused(toWaitToo);
    revive(ids.get(1));
    assertStates(ids, "success pending failure canceled");
  }

  @Test
  void an_operator_can_resolve_a_failed_parent() {
    List<UUID> ids = graph("0>1 1>2");
    fail(ids.getFirst());
    propagate();
    Task failed = find(ids.getFirst());
    clock.advance(AGE);
    TaskChange resolve = lifecycle.resolve(failed, "{\"n\": 1}", "by hand");
    assertThat(apply(resolve)).isEqualTo(WriteResult.writtenAndObserved());
    propagate();

    assertStates(ids, "success pending waiting");
    Task resolved = find(ids.getFirst());
    assertThat(resolved.epoch()).isEqualTo(failed.epoch() + 1);
    assertThat(resolved.lastResult().result()).isEqualTo("{\"n\": 1}");
    assertThat(resolved.lastResult().giveUpReason()).isNull();
    assertThat(resolved.lastResult().failureKind()).isNull();
    assertThat(resolved.times().endedAt()).isEqualTo(clock.instant());
    assertThat(attempts(ids.getFirst()))
        .hasSize(2)
        .last()
        .isEqualTo(
            new Attempt(
                failed.id(),
                failed.epoch() + 1,
                0,
                null,
                null,
                clock.instant(),
                AttemptDetails.resolved("{\"n\": 1}", "by hand"),
                null));
    assertRefused(resolve);
    assertThat(find(ids.get(1)).retryCounters().attempt()).isEqualTo(1);
  }

  /** Otherwise it would be expired when it fails for the first time. */
  @Test
  void the_expiry_of_a_child_that_comes_back_counts_from_then() {
    List<UUID> ids = graph("0>2 1>3");
    fail(ids.get(0));
    fail(ids.get(1));
    propagate();
    clock.advance(AGE);
    write(lifecycle.resolve(find(ids.get(0)), null, "by hand"));
    revive(ids.get(1));
    succeed(ids.get(1));
    propagate();

    assertStates(ids, "success success pending pending");
    for (UUID child : ids.subList(2, 4)) {
      assertThat(find(child).times().retrySince()).isEqualTo(clock.instant());
      assertThat(find(child).times().dueAt()).isEqualTo(clock.instant());
    }
  }

  @Test
  void a_child_that_comes_back_is_not_due_before_its_time() {
    UUID parent = submit(unique());
    Instant due = clock.instant().plus(AGE.multipliedBy(2));
    UUID child = after(DueTime.at(due), true, parent);
    fail(parent);
    propagate();
    clock.advance(AGE);
    write(lifecycle.resolve(find(parent), null, "by hand"));
    propagate();

    assertThat(find(child).state()).isEqualTo(TaskState.PENDING);
    assertThat(find(child).times().dueAt()).isEqualTo(due);
    assertThat(find(child).times().retrySince()).isEqualTo(due);
  }

  @Test
  void a_task_that_failed_because_of_its_parents_can_be_resolved_too() {
    List<UUID> ids = graph("0>1 1>2");
    fail(ids.getFirst());
    propagate();
    write(lifecycle.resolve(find(ids.get(1)), null, "not needed"));
    propagate();

    assertStates(ids, "failure success pending");
    revive(ids.getFirst());
    propagate();
    assertStates(ids, "pending success pending");
  }

  @Test
  void a_revive_that_ignores_dependencies_waives_them_for_good() {
    List<UUID> ids = graph("0>2 1>2 2>3");
    fail(ids.get(0));
    propagate();
    write(lifecycle.reviveIgnoringDependencies(find(ids.get(2))));
    propagate();

    assertStates(ids, "failure pending pending waiting");
    assertThat(counts(ids.get(2))).isEqualTo(DependencyCounts.NONE);
    assertThat(store.batches().parents(ids.get(2), LIMIT))
        .extracting(ParentTask::outcome)
        .containsOnly(DependencyOutcome.WAIVED);
    fail(ids.get(2));
    fail(ids.get(1));
    revive(ids.get(0));
    propagate();
    assertStates(ids, "pending failure failure failure");
    assertThat(counts(ids.get(2))).isEqualTo(DependencyCounts.NONE);
    revive(ids.get(2));
    propagate();
    assertStates(ids, "pending failure pending waiting");
  }

  @Test
  void a_batch_with_something_to_propagate_is_not_purged() {
    UUID parent = submit(unique());
    UUID child = after(parent);
    fail(parent);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, LIMIT)).isZero();

    propagate();
    assertThat(find(child).state()).isEqualTo(TaskState.FAILURE);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, LIMIT)).isEqualTo(2);
  }

  @Test
  void a_child_stays_failed_when_its_parent_is_purged() {
    UUID parent = submit(unique());
    UUID child = after(parent);
    fail(parent);
    propagateOnce();
    clock.advance(AGE.plusSeconds(1));
    propagate();
    assertThat(store.maintenance().purge(AGE, LIMIT)).isEqualTo(1);

    assertThat(store.reader().find(parent)).isEmpty();
    assertThat(store.batches().parents(child, LIMIT)).isEmpty();
    assertThat(find(child).state()).isEqualTo(TaskState.FAILURE);
    assertThat(counts(child)).isEqualTo(new DependencyCounts(1, 1));
    write(lifecycle.reviveIgnoringDependencies(find(child)));
    assertThat(counts(child)).isEqualTo(DependencyCounts.NONE);
    succeed(child);
  }

  @Test
  void a_child_that_was_told_does_not_miss_a_parent_that_was_purged() {
    UUID good = submit(unique());
    UUID other = after(good);
    UUID child = after(good, other);
    succeed(good);
    propagate();
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, LIMIT)).isEqualTo(1);
    succeed(other);
    propagate();

    assertThat(find(child).state()).isEqualTo(TaskState.PENDING);
    succeed(child);
  }

  @Test
  void a_parent_does_not_miss_a_child_that_was_purged() {
    UUID parent = submit(unique());
    UUID gone = after(parent);
    UUID child = after(parent);
    cancel(gone);
    clock.advance(AGE.plusSeconds(1));
    assertThat(store.maintenance().purge(AGE, LIMIT)).isEqualTo(1);
    succeed(parent);
    propagate();

    assertThat(find(child).state()).isEqualTo(TaskState.PENDING);
    assertThat(propagateOnce()).isEqualTo(Propagation.NONE);
  }
}
