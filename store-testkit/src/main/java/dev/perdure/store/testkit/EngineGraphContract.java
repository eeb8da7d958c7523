// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Batch;
import dev.perdure.engine.BatchStopResult;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** However a task fails, its children wait until it has failed for good. */
abstract class EngineGraphContract extends GraphContract {

  /** A handler that never gets to its work. */
  private static final EngineExecutor STUCK = (name, work) -> () -> {};

  private static final String QUEUE = "perdure:calls";
  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final RetryPolicy ONE_RETRY =
      RetryPolicy.fixed(DELAY).jitter(Jitter.none()).maxRetries(1).build();
  private static final NewTask PARENT =
      NewTask.of("parent", "x").id("parent").timeout(TIMEOUT).retry(ONE_RETRY);

  EngineGraphContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** An engine with a handler for parents that fails. */
  private ManualEngine node(String name, EngineExecutor executor) {
    clock.advance(MILLI); // So that no two nodes have the same id.
    ManualEngine node =
        ManualEngines.on(store, clock, executor).name(name).lossLimit(1).buildManual();
    node.engine().register("parent", String.class, EngineGraphContract::fail);
    node.renew();
    return node;
  }

  private static void fail(String payload, TaskContext context) {
    throw new IllegalStateException("broken");
  }

  /** Submits a parent, a child that requires its success and one that waits for its end. */
  private static List<UUID> submit(ManualEngine node, NewTask parent) {
    return node.engine()
        .submit(
            Batch.of(
                NewTask.of("child", "x").after("parent"),
                NewTask.of("child", "x").afterEvenIfFailed("parent"),
                parent))
        .ids();
  }

  private void assertChildrenWait(ManualEngine node, List<UUID> ids, String parent) {
    propagate(node);
    assertStates(ids, "waiting waiting " + parent);
  }

  private void assertFailedForGood(ManualEngine node, List<UUID> ids, TaskGiveUpReason reason) {
    assertStates(ids, "waiting waiting failure");
    propagate(node);
    assertStates(ids, "failure pending failure");
    assertThat(find(ids.getLast()).lastResult().giveUpReason()).isEqualTo(reason);
    assertThat(find(ids.getFirst()).lastResult().giveUpReason())
        .isEqualTo(TaskGiveUpReason.UPSTREAM_FAILED);
  }

  private static void propagate(ManualEngine node) {
    for (int rounds = 0; node.propagate() > 0; rounds++) {
      assertThat(rounds).isLessThan(LIMIT);
    }
  }

  @Test
  void children_wait_while_a_parent_that_failed_is_retried() {
    ManualEngine node = node("north", ManualEngines.AT_ONCE);
    List<UUID> ids = submit(node, PARENT);
    assertThat(node.claim()).isOne();
    node.settle();
    assertChildrenWait(node, ids, "retry_pending");

    clock.advance(DELAY);
    assertThat(node.claim()).isOne();
    node.settle();
    assertFailedForGood(node, ids, TaskGiveUpReason.EXHAUSTED);
  }

  @Test
  void children_wait_while_a_parent_that_timed_out_is_retried() {
    ManualEngine node = node("north", ManualEngines.AT_ONCE);
    node.engine()
        .register(
            "slow",
            String.class,
            (payload, context) -> {
              clock.advance(TIMEOUT);
              node.watch();
              assertThat(context.stopping()).isTrue();
            });
    List<UUID> ids =
        submit(node, NewTask.of("slow", "x").id("parent").timeout(TIMEOUT).retry(ONE_RETRY));
    assertThat(node.claim()).isOne();
    node.settle();
    assertChildrenWait(node, ids, "retry_pending");

    clock.advance(DELAY);
    node.renew();
    assertThat(node.claim()).isOne();
    node.settle();
    assertFailedForGood(node, ids, TaskGiveUpReason.EXHAUSTED);
    assertThat(find(ids.getLast()).lastResult().failureKind()).isEqualTo("timeout");
  }

  @Test
  void children_wait_while_a_parent_that_a_callee_reported_as_failed_is_retried() {
    ManualEngine node = callingNode();
    List<UUID> ids = submit(node, PARENT.queue(QUEUE));
    handOffAndFail(node, ids.getLast());
    assertChildrenWait(node, ids, "retry_pending");

    clock.advance(DELAY);
    handOffAndFail(node, ids.getLast());
    assertFailedForGood(node, ids, TaskGiveUpReason.EXHAUSTED);
    assertThat(find(ids.getLast()).lastResult().failureKind()).isEqualTo("http");
  }

  @Test
  void children_wait_while_a_callee_that_did_not_report_is_called_again() {
    ManualEngine node = callingNode();
    List<UUID> ids = submit(node, PARENT.queue(QUEUE));
    handOff(node);
    assertChildrenWait(node, ids, "running");
    timeOut(node);
    assertChildrenWait(node, ids, "retry_pending");

    clock.advance(DELAY);
    handOff(node);
    timeOut(node);
    assertFailedForGood(node, ids, TaskGiveUpReason.EXHAUSTED);
  }

  private ManualEngine callingNode() {
    ManualEngine node = node("north", ManualEngines.AT_ONCE);
    node.engine()
        .registerQueue(
            QUEUE,
            context -> {
              throw context.handOff(null);
            },
            HandlerOptions.defaults());
    return node;
  }

  private void timeOut(ManualEngine node) {
    clock.advance(TIMEOUT);
    node.renew();
    clock.advance(TIMEOUT);
    assertThat(node.timeOut()).isOne();
  }

  private void handOff(ManualEngine node) {
    node.renew();
    assertThat(node.claim()).isOne();
    assertThat(node.settle()).isOne();
  }

  private void handOffAndFail(ManualEngine node, UUID id) {
    handOff(node);
    Task task = find(id);
    assertThat(task.worker()).as("handed off").isNull();
    try (Engine anyNode = Engine.on(store)) {
      anyNode
          .remote()
          .settle(
              id,
              AttemptCredential.ofHandle(task.epoch()),
              new Outcome.Failed(Failure.http(503), null));
    }
  }

  @Test
  void children_wait_while_a_parent_that_lost_its_worker_runs_again() {
    ManualEngine north = node("north", STUCK);
    List<UUID> ids = submit(north, PARENT);
    loseWorker(north, "south");
    assertChildrenWait(north, ids, "pending");

    clock.advance(Duration.ofSeconds(2));
    loseWorker(north, "east");
    assertFailedForGood(north, ids, TaskGiveUpReason.LOST);
  }

  /** A node with this name claims the parent and is not heard of again. */
  private void loseWorker(ManualEngine other, String name) {
    assertThat(node(name, STUCK).claim()).isOne();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(10));
      other.renew();
    }
    assertThat(other.reap()).isOne();
  }

  @Test
  void children_wait_while_a_parent_is_snoozed() {
    ManualEngine node = node("north", ManualEngines.AT_ONCE);
    node.engine()
        .register(
            "patient",
            String.class,
            (payload, context) -> {
              throw context.snooze(DELAY);
            });
    List<UUID> ids = submit(node, NewTask.of("patient", "x").id("parent"));
    node.claim();
    node.settle();
    assertChildrenWait(node, ids, "pending");
  }

  @Test
  void children_fail_with_a_parent_whose_deadline_passed() {
    ManualEngine node = node("north", STUCK);
    List<UUID> ids = submit(node, PARENT.deadline(clock.instant().plus(DELAY)));
    clock.advance(DELAY.plus(MILLI));
    assertThat(node.expire()).isOne();

    assertFailedForGood(node, ids, TaskGiveUpReason.EXPIRED);
  }

  @Test
  void a_batch_does_not_run_again_after_a_deadline_of_its_tasks() {
    ManualEngine node = node("north", ManualEngines.AT_ONCE);
    NewTask failing =
        NewTask.of("parent", "x").deadline(clock.instant().plus(DELAY.multipliedBy(2)));
    UUID batch =
        node.engine()
            .submit(
                Batch.of(failing)
                    .retry(RetryPolicy.fixed(DELAY).jitter(Jitter.none()).maxRetries(9).build()))
            .batch();
    runDue(node);
    clock.advance(DELAY);
    runDue(node);

    BatchSummary summary = store.batches().find(batch).orElseThrow();
    assertThat(summary.runs()).hasSize(2).last().matches(BatchRun::isFinal);
    assertThat(summary.runs().getLast().giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
  }

  private static void runDue(ManualEngine node) {
    node.renew();
    node.retryBatches();
    assertThat(node.claim()).isOne();
    node.settle();
    propagate(node);
    node.retryBatches();
  }

  @Test
  void a_stopped_batch_counts_what_it_canceled_by_the_status_it_had() {
    ManualEngine node = node("north", ManualEngines.AT_ONCE);
    ManualEngine stuck = ManualEngines.on(store, clock, STUCK).name("south").buildManual();
    stuck.engine().register("stuck", String.class, EngineGraphContract::fail);
    stuck.renew();
    List<UUID> ids =
        node.engine()
            .submit(
                Batch.of(
                    NewTask.of("parent", "x").id("failed"),
                    NewTask.of("parent", "x").id("retried").retry(ONE_RETRY),
                    NewTask.of("stuck", "x").id("running"),
                    NewTask.of("other", "x").id("pending"),
                    NewTask.of("other", "x").id("paused"),
                    NewTask.of("other", "x").id("first").after("retried", "pending"),
                    NewTask.of("other", "x").id("second").after("first", "running"),
                    NewTask.of("other", "x").id("held").after("second")))
            .ids();
    node.claim();
    node.settle();
    stuck.claim();
    node.engine().pause(ids.get(4));
    node.engine().pause(ids.get(7));
    UUID batch = find(ids.getFirst()).batch();

    BatchStopResult stopped = node.engine().stopBatch(batch);
    propagate(node);

    assertThat(stopped.canceled())
        .isEqualTo(
            Map.of(
                DisplayStatus.RETRY_PENDING, 1L,
                DisplayStatus.RUNNING, 1L,
                DisplayStatus.PENDING, 1L,
                DisplayStatus.PAUSED, 2L,
                DisplayStatus.WAITING, 2L));
    assertThat(stopped.alreadyEnded()).isEqualTo(1);
    assertStates(ids, "failure canceled canceled canceled canceled canceled canceled canceled");
    BatchSummary summary = store.batches().find(batch).orElseThrow();
    assertThat(summary.stoppedAt()).isEqualTo(clock.instant());
    assertThat(summary.endedAt()).isEqualTo(clock.instant());
    assertThat(node.engine().stopBatch(batch)).isEqualTo(new BatchStopResult(Map.of(), ids.size()));
  }

  /** Something propagates while the batch is stopped, and must find no canceled parent early. */
  @Test
  void children_are_canceled_before_their_parents() {
    List<UUID> canceled = new ArrayList<>();
    ManualEngine other = node("south", STUCK);
    EngineListener propagating =
        new EngineListener() {
          @Override
          public void onChanged(Task before, TaskChange change, Duration ran) {
            canceled.add(change.task());
            if (canceled.size() % 50 == 1) {
              propagate(other);
            }
          }
        };
    ManualEngine node =
        ManualEngines.on(store, clock, STUCK).name("north").listener(propagating).buildManual();
    List<UUID> ids = node.engine().submit(Batch.of(chain(450))).ids();

    BatchStopResult stopped = node.engine().stopBatch(find(ids.getFirst()).batch());
    propagate(other);

    assertThat(stopped.canceled())
        .isEqualTo(Map.of(DisplayStatus.WAITING, 449L, DisplayStatus.PENDING, 1L));
    assertThat(canceled).isEqualTo(ids.reversed());
    assertThat(store.reader().findAll(ids)).allMatch(task -> task.state() == TaskState.CANCELED);
  }

  private static List<NewTask> chain(int length) {
    return IntStream.range(0, length)
        .mapToObj(
            i -> {
              NewTask task = NewTask.of("link", i).id("task " + i);
              return i == 0 ? task : task.after("task " + (i - 1));
            })
        .toList();
  }
}
