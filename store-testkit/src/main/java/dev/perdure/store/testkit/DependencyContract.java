// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks wait for tasks, and are told how those ended. */
abstract class DependencyContract extends GraphContract {

  private static final Duration LATER = Duration.ofHours(1);

  DependencyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void the_last_parent_that_succeeds_releases_the_child() {
    List<UUID> ids = graph("0>2 1>2");
    succeed(ids.get(1));
    propagate();
    assertStates(ids, "pending success waiting");
    Task before = find(ids.get(2));
    clock.advance(LATER);

    succeed(ids.get(0));
    assertStates(ids, "success success waiting");
    Propagation done = propagateOnce();

    assertThat(done.released()).isEqualTo(1);
    assertThat(done.dependencies()).isEqualTo(1);
    assertThat(done.events()).isEqualTo(1);
    assertThat(done.undecided()).isEmpty();
    assertThat(done.lag()).isEqualTo(Duration.ZERO);
    assertStates(ids, "success success pending");
    Task child = find(ids.get(2));
    assertThat(child.times().dueAt()).isEqualTo(clock.instant());
    assertThat(child.times().retrySince())
        .as("its policy counts from here")
        .isEqualTo(clock.instant());
    assertThat(child.times().updatedAt()).isEqualTo(clock.instant());
    assertThat(child.retryCounters()).isEqualTo(before.retryCounters());
    assertThat(child.epoch()).isEqualTo(before.epoch());
    succeed(child.id());
  }

  @Test
  void a_child_that_was_submitted_for_later_keeps_its_time() {
    UUID parent = submit(unique());
    UUID child = after(DueTime.in(LATER), true, parent);
    Instant due = clock.instant().plus(LATER);
    clock.advance(LATER.dividedBy(2));
    succeed(parent);
    propagate();

    assertThat(find(child).state()).isEqualTo(TaskState.PENDING);
    assertThat(find(child).times().dueAt()).isEqualTo(due);
    assertThat(find(child).times().retrySince()).isEqualTo(due);
    assertThat(claim(1, find(child).definition().kind()).leases()).isEmpty();
    clock.advance(LATER.dividedBy(2));
    succeed(child);
  }

  @Test
  void the_lag_is_the_age_of_the_oldest_event() {
    List<UUID> ids = graph("0>2 1>2");
    succeed(ids.get(0));
    clock.advance(LATER);
    succeed(ids.get(1));

    assertThat(propagateOnce().lag()).isEqualTo(LATER);
    assertThat(propagateOnce()).as("told twice").isEqualTo(Propagation.NONE);
  }

  @Test
  void a_write_says_whether_there_is_something_to_propagate() {
    List<UUID> ids = graph("0>1");
    WriteResult observed = WriteResult.writtenAndObserved();
    Task parent = run(ids.getFirst());

    assertThat(apply(lifecycle.settle(parent, FAILED, clock.instant())))
        .as("a retry is no end")
        .isEqualTo(WriteResult.written());
    assertThat(apply(lifecycle.cancel(find(parent.id())))).isEqualTo(observed);
    assertThat(apply(lifecycle.revive(find(parent.id())))).isEqualTo(observed);
    assertThat(apply(lifecycle.cancel(find(ids.getLast()))))
        .as("without children")
        .isEqualTo(WriteResult.written());
  }

  @Test
  void a_retry_of_the_parent_tells_nobody() {
    List<UUID> ids = graph("0>1 0~2");
    settle(run(ids.getFirst()), FAILED);

    assertThat(propagateOnce()).isEqualTo(Propagation.NONE);
    assertStates(ids, "retry_pending waiting waiting");
    clock.advance(TestTask.DELAY);
    succeed(ids.getFirst());
    propagate();
    assertStates(ids, "success pending pending");
  }

  @Test
  void a_failure_dooms_all_that_require_success_at_any_depth() {
    List<UUID> ids = graph("0>1 1>2 2>3 3>4 0>4");
    fail(ids.getFirst());
    propagate();

    assertStates(ids, "failure failure failure failure failure");
    for (UUID id : ids.subList(1, 5)) {
      Task failed = find(id);
      assertThat(failed.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.UPSTREAM_FAILED);
      assertThat(failed.times().endedAt()).isEqualTo(clock.instant());
      assertThat(attempts(id)).isEmpty();
    }
    assertThat(counts(ids.get(4))).isEqualTo(new DependencyCounts(2, 2));
  }

  @Test
  void a_canceled_parent_counts_as_failed() {
    List<UUID> ids = graph("0>1 0~2");
    cancel(ids.getFirst());
    propagate();

    assertStates(ids, "canceled failure pending");
  }

  @Test
  void a_child_that_only_waits_for_the_end_runs_after_it_and_not_before() {
    List<UUID> ids = graph("0>1 1~2 2>3");
    fail(ids.getFirst());
    store.dependencies().propagate(LIMIT);
    assertThat(find(ids.get(2)).state()).as("task 1 has not ended").isEqualTo(TaskState.WAITING);
    propagate();

    assertStates(ids, "failure failure pending waiting");
    succeed(ids.get(2));
    propagate();
    assertStates(ids, "failure failure success pending");
  }

  @Test
  void a_paused_child_is_released_and_fails_all_the_same() {
    List<UUID> ids = graph("0>1 2>3");
    write(lifecycle.pause(find(ids.get(1))));
    write(lifecycle.pause(find(ids.get(3))));
    succeed(ids.get(0));
    fail(ids.get(2));
    propagate();

    assertStates(ids, "success pending failure failure");
    assertThat(find(ids.get(1)).paused()).isTrue();
    assertThat(claim(1, find(ids.get(1)).definition().kind()).leases()).isEmpty();
    write(lifecycle.resume(find(ids.get(1))));
    succeed(ids.get(1));
  }

  @Test
  void a_child_that_ended_before_its_parents_keeps_its_end_and_right_counts() {
    List<UUID> ids = graph("0>2 1>2 0>3");
    cancel(ids.get(2));
    cancel(ids.get(3));
    succeed(ids.get(0));
    fail(ids.get(1));
    propagate();

    assertStates(ids, "success failure canceled canceled");
    assertThat(counts(ids.get(2))).isEqualTo(new DependencyCounts(1, 1));
    assertThat(counts(ids.get(3))).isEqualTo(DependencyCounts.NONE);
  }

  @Test
  void a_call_changes_at_most_as_many_dependencies_as_it_may() {
    UUID parent = submit(unique());
    List<UUID> children = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      children.add(after(parent));
    }
    succeed(parent);

    List<Integer> changed = new ArrayList<>();
    int released = 0;
    int events = 0;
    while (changed.size() < 20) {
      Propagation done = store.dependencies().propagate(3);
      if (done.events() + done.dependencies() == 0) {
        break;
      }
      changed.add(done.dependencies());
      released += done.released();
      events += done.events();
      children.forEach(this::assertCounted);
    }
    assertThat(changed).allMatch(count -> count <= 3);
    assertThat(changed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(7);
    assertThat(released).isEqualTo(7);
    assertThat(events).isEqualTo(1);
    assertStates(children, "pending pending pending pending pending pending pending");
  }

  @Test
  void a_long_chain_fails_to_its_end_with_any_limit() {
    int shard = nextShard();
    List<NewTaskRow> rows =
        IntStream.range(0, 50)
            .mapToObj(i -> new NewTaskRow(ids.next(shard), unique().definition(), DueTime.now()))
            .toList();
    List<Dependency> chain =
        IntStream.range(1, 50)
            .mapToObj(i -> new Dependency(rows.get(i - 1).id(), rows.get(i).id(), true))
            .toList();
    store.submit(new Submission(ids.next(shard), BatchDefinition.NONE, rows, chain, null));
    fail(rows.getFirst().id());
    propagate(1);

    assertThat(rows)
        .allSatisfy(row -> assertThat(find(row.id()).state()).isEqualTo(TaskState.FAILURE));
    rows.forEach(row -> assertPropagated(row.id()));
  }
}
