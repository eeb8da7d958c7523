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
import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.Due;
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
import org.junit.jupiter.api.AfterEach;

/** An empty store, a clock, a node that lives on, and the words the tests are written in. */
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
  void closes_what_it_opened() {
    fixture.close();
  }

  /** Everything that can be read of a task. */
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

  /** Each submission goes to another shard. */
  int nextShard() {
    return submissions++ % shards;
  }

  UUID submit(TestTask testTask) {
    return submit(testTask, Due.now());
  }

  UUID submit(TestTask testTask, Due due) {
    return submit(nextShard(), List.of(testTask), due).getFirst();
  }

  /** Submits all of them together. */
  List<UUID> submitAll(TestTask... given) {
    return submit(nextShard(), List.of(given), Due.now());
  }

  List<UUID> submit(int shard, List<TestTask> given, Due due) {
    List<NewTaskRow> rows =
        given.stream()
            .map(each -> new NewTaskRow(ids.next(shard), each.definition(), due))
            .toList();
    store.submit(new Submission(ids.next(shard), rows));
    return rows.stream().map(NewTaskRow::id).toList();
  }

  static List<QueueCapacity> rooms(int free, String... kinds) {
    return Stream.of(kinds).map(kind -> new QueueCapacity(kind, free)).toList();
  }

  /** Claims for the node, and starts. */
  ClaimResult claim(int limit, String... kinds) {
    return store.claim(
        new ClaimRequest(new LeaseOwner.NodeOwner(node), rooms(limit, kinds), limit, true));
  }

  static List<UUID> claimedIds(ClaimResult claimResult) {
    return claimResult.leases().stream().map(Lease::task).map(Task::id).toList();
  }

  /** The one task of this kind that is due, claimed and not started. */
  Task claimed(String kind) {
    return only(
        store.claim(new ClaimRequest(new LeaseOwner.NodeOwner(node), rooms(1, kind), 1, false)));
  }

  /** The one task of this kind that is due, claimed and started. */
  Task running(String kind) {
    return only(claim(1, kind));
  }

  private static Task only(ClaimResult claimResult) {
    assertThat(claimResult.leases()).hasSize(1);
    return claimResult.leases().getFirst().task();
  }

  WriteResult apply(TaskChange taskChange) {
    List<WriteResult> writeResults = store.apply(List.of(taskChange));
    assertThat(writeResults).hasSize(1);
    return writeResults.getFirst();
  }

  /** Writes a change that must be accepted, and reads the task again. */
  Task write(TaskChange taskChange) {
    assertThat(apply(taskChange)).isEqualTo(WriteResult.written());
    return find(taskChange.task());
  }

  Task settle(Task task, Outcome outcome) {
    return write(lifecycle.settle(task, outcome, clock.instant()));
  }

  /** Says that the change was refused, what was found instead, and that nothing was altered. */
  void assertRefused(TaskChange taskChange) {
    Snapshot before = snapshot(taskChange.task());
    assertThat(apply(taskChange))
        .isEqualTo(WriteResult.refused(before.task().state(), before.task().epoch()));
    assertThat(snapshot(taskChange.task())).isEqualTo(before);
  }
}
