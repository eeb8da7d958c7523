// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.ParentTask;
import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Shared setup: graphs in which every task has a kind of its own, so that it is claimed alone. */
abstract class GraphContract extends StoreContract {

  static final int LIMIT = 1_000;
  static final Outcome FAILED_FOR_GOOD =
      new Outcome.Failed(Failure.explicit("broken").withPermanent(true), null);

  private int kinds;

  GraphContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Creates a task of a kind that no other task has. */
  TestTask unique() {
    return TestTask.retrying("kind" + kinds++);
  }

  /** Submits a graph; see {@link #submitGraph}. */
  List<UUID> graph(String dependencies) {
    int last = dependencies.chars().filter(Character::isDigit).max().orElseThrow() - '0';
    return submitGraph(
        IntStream.rangeClosed(0, last).mapToObj(i -> unique()).toList(), dependencies);
  }

  /** Submits a task that requires the success of these stored tasks. */
  UUID after(UUID... parents) {
    return after(DueTime.now(), true, parents);
  }

  UUID afterEvenIfFailed(UUID... parents) {
    return after(DueTime.now(), false, parents);
  }

  UUID after(DueTime due, boolean requiresSuccess, UUID... parents) {
    Submission submission = childOf(due, requiresSuccess, parents);
    assertThat(store.submit(submission)).isEqualTo(submission.stored());
    return submission.tasks().getFirst().id();
  }

  Submission childOf(DueTime due, boolean requiresSuccess, UUID... parents) {
    int shard = Shards.of(parents[0]);
    UUID id = ids.next(shard);
    return new Submission(
        ids.next(shard),
        BatchDefinition.NONE,
        List.of(new NewTaskRow(id, unique().definition(), due)),
        Stream.of(parents).map(parent -> new Dependency(parent, id, requiresSuccess)).toList(),
        null);
  }

  /** Claims and starts the task. */
  Task run(UUID id) {
    Task task = running(queue(id));
    assertThat(task.id()).isEqualTo(id);
    return task;
  }

  /** The queue that the task is claimed from. */
  String queue(UUID id) {
    return find(id).definition().queueOrKind();
  }

  void succeed(UUID id) {
    settle(run(id), SUCCEEDED);
  }

  void fail(UUID id) {
    settle(run(id), FAILED_FOR_GOOD);
  }

  void cancel(UUID id) {
    write(lifecycle.cancel(find(id)));
  }

  void revive(UUID id) {
    write(lifecycle.revive(find(id)));
  }

  Propagation propagateOnce() {
    return store.dependencies().propagate(LIMIT);
  }

  /** Propagates and decides as the engine does until nothing is left to do. */
  void propagate() {
    propagate(LIMIT);
  }

  void propagate(int limit) {
    for (int rounds = 0; rounds < LIMIT; rounds++) {
      Propagation done = store.dependencies().propagate(limit);
      decide(done.undecided());
      if (done.events() + done.dependencies() + done.undecided().size() == 0) {
        return;
      }
    }
    throw new AssertionError("there is still something to propagate");
  }

  /** What a store reports may be out of date when it is decided. */
  void decide(List<UUID> undecided) {
    for (UUID id : undecided) {
      Task task = find(id);
      ParentStatus status = ParentStatus.of(task);
      if (status.needsDecision()) {
        write(
            status.mustFail() ? lifecycle.failUpstream(task) : lifecycle.reviveAfterUpstream(task));
      }
    }
  }

  /** Asserts the states, such as {@code "success waiting"}, and that all counts are right. */
  void assertStates(List<UUID> tasks, String expected) {
    assertThat(tasks.stream().map(id -> find(id).state().text()).collect(Collectors.joining(" ")))
        .isEqualTo(expected);
    tasks.forEach(this::assertCounted);
  }

  /** Asserts that the counts of the task equal a count of its dependencies. */
  void assertCounted(UUID id) {
    List<ParentTask> parents = store.batches().parents(id, LIMIT);
    long unmet =
        parents.stream()
            .filter(it -> !DependencyOutcome.satisfies(it.outcome(), it.requiresSuccess()))
            .count();
    long failed =
        parents.stream()
            .filter(it -> it.requiresSuccess() && it.outcome() == DependencyOutcome.FAILED)
            .count();
    assertThat(find(id).dependencies())
        .as("dependencies of %s", id)
        .isEqualTo(new DependencyCounts((int) unmet, (int) failed));
  }

  /** Asserts that propagation has nothing left to do for this task. */
  void assertPropagated(UUID id) {
    assertCounted(id);
    Task task = find(id);
    assertThat(ParentStatus.of(task).needsDecision()).as("%s", task).isFalse();
    if (task.state() == TaskState.WAITING) {
      assertThat(task.dependencies().unmet()).as("%s waits", task).isPositive();
    }
    for (ParentTask parent : store.batches().parents(id, LIMIT)) {
      assertThat(
              ParentStatus.of(find(parent.id()))
                  .outcomeFor(parent.requiresSuccess(), parent.outcome()))
          .as("outcome of %s for %s", parent, task)
          .isEqualTo(parent.outcome());
    }
  }

  DependencyCounts counts(UUID id) {
    return find(id).dependencies();
  }
}
