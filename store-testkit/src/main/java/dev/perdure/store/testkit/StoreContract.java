// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.ErrorFingerprint;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.policy.Failure;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Shared setup: an empty store, a fake clock and a node that stays alive. */
abstract class StoreContract {

  static final Duration FOR_EVER = Duration.ofDays(10_000);
  static final Duration MILLI = Duration.ofMillis(1);
  static final Outcome SUCCEEDED = new Outcome.Succeeded(null);
  static final Outcome FAILED = new Outcome.Failed(Failure.explicit("again"), null);

  private static final int ALL = 1_000;

  final int shards;
  final FakeClock clock = new FakeClock();
  final TestIds ids = new TestIds(clock);
  final TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);
  final StoreFixture fixture;
  final TaskStore store;
  final UUID node = ids.next(0);
  private int submissions;

  StoreContract(Supplier<StoreFixture> fixtures, int shards) {
    this.shards = shards;
    this.fixture = fixtures.get();
    this.store = fixture.create(clock, shards);
    store.nodes().join(new RegisteredNode(node, "first", List.of("a", "b")), FOR_EVER);
  }

  @AfterEach
  void close_fixture() {
    fixture.close();
  }

  /** Everything that can be read about a task. */
  record Snapshot(Task task, List<Attempt> attempts) {}

  Snapshot snapshot(UUID id) {
    return new Snapshot(find(id), attempts(id));
  }

  Task find(UUID id) {
    return store.reader().find(id).orElseThrow();
  }

  List<Attempt> attempts(UUID id) {
    return store.reader().attempts(id, ALL);
  }

  /** Returns a different shard for each submission. */
  int nextShard() {
    return submissions++ % shards;
  }

  UUID submit(TestTask task) {
    return submit(task, DueTime.now());
  }

  UUID submit(TestTask task, DueTime dueTime) {
    return submit(nextShard(), List.of(task), dueTime).getFirst();
  }

  /** Submits all tasks as one batch. */
  List<UUID> submitAll(TestTask... tasks) {
    return submit(nextShard(), List.of(tasks), DueTime.now());
  }

  List<UUID> submit(int shard, List<TestTask> tasks, DueTime dueTime) {
    List<NewTaskRow> rows =
        tasks.stream()
            .map(task -> new NewTaskRow(ids.next(shard), task.definition(), dueTime))
            .toList();
    store.submit(new Submission(ids.next(shard), rows));
    return rows.stream().map(NewTaskRow::id).toList();
  }

  /**
   * Submits all tasks as one batch and returns their ids.
   *
   * @param dependencies pairs of indexes, such as {@code "0>1 0~2"}: task 1 requires the success of
   *     task 0, and task 2 waits for its end
   */
  List<UUID> submitGraph(List<TestTask> tasks, String dependencies) {
    int shard = nextShard();
    List<NewTaskRow> rows =
        tasks.stream()
            .map(task -> new NewTaskRow(ids.next(shard), task.definition(), DueTime.now()))
            .toList();
    List<Dependency> all =
        Stream.of(dependencies.split(" "))
            .map(
                pair ->
                    new Dependency(
                        rows.get(pair.charAt(0) - '0').id(),
                        rows.get(pair.charAt(2) - '0').id(),
                        pair.charAt(1) == '>'))
            .toList();
    store.submit(new Submission(ids.next(shard), BatchDefinition.NONE, rows, all, null));
    return rows.stream().map(NewTaskRow::id).toList();
  }

  static List<QueueCapacity> capacities(int free, String... kinds) {
    return Stream.of(kinds).map(kind -> new QueueCapacity(kind, free)).toList();
  }

  /** Claims tasks for the node and starts them. */
  ClaimResult claim(int limit, String... kinds) {
    return store.claim(
        new ClaimRequest(new LeaseOwner.NodeOwner(node), capacities(limit, kinds), limit, true));
  }

  static List<UUID> claimedIds(ClaimResult claimResult) {
    return claimResult.leases().stream().map(Lease::task).map(Task::id).toList();
  }

  /** Claims the only due task of this kind without starting it. */
  Task claimed(String kind) {
    return only(
        store.claim(
            new ClaimRequest(new LeaseOwner.NodeOwner(node), capacities(1, kind), 1, false)));
  }

  /** Claims and starts the only due task of this kind. */
  Task running(String kind) {
    return only(claim(1, kind));
  }

  private static Task only(ClaimResult claimResult) {
    assertThat(claimResult.leases()).hasSize(1);
    return claimResult.leases().getFirst().task();
  }

  /** The error of a failure that the work reported itself. */
  static String error(String failureKind, String code, @Nullable String message) {
    return ErrorFingerprint.of(failureKind, Failure.NO_STATUS, code, message, List.of()).id();
  }

  WriteResult apply(TaskChange change) {
    List<WriteResult> results = store.apply(List.of(change));
    assertThat(results).hasSize(1);
    return results.getFirst();
  }

  /** Applies a change that must be accepted, and returns the task. */
  Task write(TaskChange change) {
    assertThat(apply(change).applied()).isTrue();
    return find(change.task());
  }

  Task settle(Task task, Outcome outcome) {
    return write(lifecycle.settle(task, outcome, clock.instant()));
  }

  /**
   * Asserts that the change is refused with the current state and epoch, and that nothing changes.
   */
  void assertRefused(TaskChange change) {
    Snapshot before = snapshot(change.task());
    assertThat(apply(change))
        .isEqualTo(WriteResult.refused(before.task().state(), before.task().epoch()));
    assertThat(snapshot(change.task())).isEqualTo(before);
  }
}
