// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.BatchSummary;
import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches that run again as a whole, on a clock that the test moves. */
class BatchRetryTest {

  private static final Duration WEEK = Duration.ofDays(7);
  private static final RetryPolicy AFTER_A_WEEK =
      RetryPolicy.fixed(WEEK).maxRetries(1).jitter(Jitter.none()).build();

  /** Fails for the payloads that are listed, and notes all payloads that it gets. */
  private static final class Script implements TaskHandler<String> {

    private final List<String> failing = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();

    @Override
    public void handle(String payload, TaskContext context) {
      ran.add(payload);
      if (failing.contains(payload)) {
        throw context.fail("no_slots", payload + " has no slots");
      }
    }
  }

  private final Script script = new Script();

  @ParameterizedTest
  @EnumSource
  void a_batch_that_fails_runs_again_as_a_whole(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("load");
      SubmissionReceipt receipt = node.engine.submit(batch());
      run(node);

      BatchSummary waiting = summary(cluster, receipt.batch());
      assertThat(waiting.runs()).hasSize(1);
      BatchRun first = waiting.runs().getFirst();
      assertThat(first.outcome()).isEqualTo(BatchOutcome.FAILURE);
      assertThat(first.nextRunAt()).isEqualTo(cluster.clock.instant().plus(WEEK));
      assertThat(first.failure().reason()).isEqualTo("load has no slots");

      cluster.advance(WEEK.minusMillis(1));
      node.loops.renew();
      run(node);
      assertThat(summary(cluster, receipt.batch()).run()).isZero();

      script.failing.clear();
      script.ran.clear();
      cluster.advance(Duration.ofMillis(1));
      run(node);
      BatchSummary again = summary(cluster, receipt.batch());
      assertThat(again.run()).isOne();
      assertThat(script.ran).containsExactly("import", "load", "report");
      assertThat(again.runs())
          .extracting(BatchRun::outcome)
          .containsExactly(BatchOutcome.FAILURE, BatchOutcome.SUCCESS);
      assertThat(again.tasks()).isEqualTo(3);
      assertThat(cluster.count(TaskState.SUCCESS)).as("of both runs").isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_gives_up_when_its_policy_does(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("import");
      SubmissionReceipt receipt = node.engine.submit(batch());
      run(node);
      cluster.advance(WEEK);
      node.loops.renew();
      run(node);

      BatchSummary ended = summary(cluster, receipt.batch());
      assertThat(ended.runs()).hasSize(2);
      assertThat(ended.runs().getLast().giveUpReason()).isEqualTo(TaskGiveUpReason.EXHAUSTED);
      assertThat(ended.runs().getLast().isFinal()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasks_of_other_batches_wait_until_the_batch_is_final(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("load");
      SubmissionReceipt receipt = node.engine.submit(batch());
      UUID outside = node.engine.submit(task("outside").after(receipt.ids().getLast()));
      run(node);
      assertThat(cluster.find(outside).state())
          .as("after the first run")
          .isEqualTo(TaskState.WAITING);

      script.failing.clear();
      cluster.advance(WEEK);
      node.loops.renew();
      run(node);
      assertThat(cluster.find(outside).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(script.ran.getLast()).isEqualTo("outside");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stopped_batch_does_not_run_again(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("load");
      SubmissionReceipt receipt = node.engine.submit(batch());
      run(node);
      node.engine.stopBatch(receipt.batch());
      run(node);
      cluster.advance(WEEK);
      node.loops.renew();
      run(node);

      BatchSummary stopped = summary(cluster, receipt.batch());
      assertThat(stopped.run()).isZero();
      assertThat(stopped.runs().getFirst().isFinal()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_revived_task_reopens_its_run(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("load");
      SubmissionReceipt receipt = node.engine.submit(batch());
      run(node);
      script.failing.clear();
      Task failed = cluster.find(receipt.ids().get(1));
      node.engine.revive(failed.id());
      run(node);

      BatchSummary ended = summary(cluster, receipt.batch());
      assertThat(ended.runs()).hasSize(1);
      assertThat(ended.runs().getFirst().outcome()).isEqualTo(BatchOutcome.SUCCESS);
      assertThat(ended.runs().getFirst().nextRunAt()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasks_that_follow_the_batch_run_once_it_is_final(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("load");
      node.engine.submit(
          batch()
              .onSuccess(task("succeeded"))
              .onFailure(task("failed"))
              .onFinished(task("finished")));
      run(node);
      assertThat(script.ran).containsExactly("import", "load");

      script.ran.clear();
      cluster.advance(WEEK);
      node.loops.renew();
      run(node);
      assertThat(script.ran).containsExactlyInAnyOrder("import", "load", "failed", "finished");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_without_a_policy_can_run_again(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      UUID batch = node.engine.submit(Batch.of(task("a").id("a"), task("b").after("a"))).batch();
      assertThatThrownBy(() -> node.engine.runBatchAgain(batch)).hasMessageContaining("is live");
      run(node);
      node.engine.runBatchAgain(batch);
      run(node);

      assertThat(script.ran).containsExactly("a", "b", "a", "b");
      assertThat(summary(cluster, batch).runs())
          .extracting(BatchRun::outcome)
          .containsExactly(BatchOutcome.SUCCESS, BatchOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stopped_batch_can_run_again(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      UUID batch = node.engine.submit(batch().onFinished(task("finished"))).batch();
      node.engine.stopBatch(batch);
      run(node);
      node.engine.runBatchAgain(batch);
      run(node);

      assertThat(script.ran)
          .containsExactlyInAnyOrder("finished", "import", "load", "report", "finished");
      assertThat(summary(cluster, batch).run()).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_runs_again_once_when_the_answer_is_lost(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      ManualNode other = cluster.node(script);
      UUID batch = node.engine.submit(Batch.of(task("a"))).batch();
      run(node);
      node.faults.after("runAgain", () -> run(other));
      node.faults.loseResponseOf("runAgain");

      assertThat(node.engine.runBatchAgain(batch)).isOne();
      run(node);
      assertThat(node.engine.runBatchAgain(batch, 0)).as("a late repetition").isOne();
      run(node);
      assertThat(script.ran).containsExactly("a", "a");
      assertThatThrownBy(() -> node.engine.runBatchAgain(batch, 7))
          .hasMessageContaining("is at run 1, not at run 7");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_resolved_task_ends_its_run_differently(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("report");
      SubmissionReceipt receipt = node.engine.submit(batch());
      run(node);
      assertThat(summary(cluster, receipt.batch()).runs().getFirst().nextRunAt()).isNotNull();

      cluster.advance(Duration.ofMillis(1));
      node.engine.resolve(receipt.ids().getLast(), null, "by hand");
      run(node);
      BatchRun ended = summary(cluster, receipt.batch()).runs().getFirst();
      assertThat(ended.outcome()).isEqualTo(BatchOutcome.SUCCESS);
      assertThat(ended.isFinal()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void no_run_starts_while_a_revived_task_is_live(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("load");
      SubmissionReceipt receipt = node.engine.submit(batch());
      run(node);
      cluster.advance(WEEK);
      node.loops.renew();
      script.failing.clear();
      script.ran.clear();
      node.engine.revive(receipt.ids().get(1));
      node.loops.retryBatches(); // Before the run has learned of the revive.
      run(node);

      assertThat(script.ran).containsExactly("load", "report");
      BatchSummary ended = summary(cluster, receipt.batch());
      assertThat(ended.runs()).hasSize(1);
      assertThat(ended.runs().getFirst().outcome()).isEqualTo(BatchOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasks_that_were_released_do_not_depend_on_another_run(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      SubmissionReceipt receipt = node.engine.submit(batch());
      UUID outside = node.engine.submit(task("outside").after(receipt.ids().getLast()).runIn(WEEK));
      run(node);
      assertThat(cluster.find(outside).state()).isEqualTo(TaskState.PENDING);

      script.failing.add("import");
      node.engine.runBatchAgain(receipt.batch());
      run(node);
      assertThat(cluster.find(outside).state()).isEqualTo(TaskState.PENDING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_of_an_earlier_run_cannot_be_revived(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("load");
      UUID failed = node.engine.submit(batch()).ids().get(1);
      run(node);
      cluster.advance(WEEK);
      node.loops.renew();
      run(node);

      assertThatThrownBy(() -> node.engine.revive(failed))
          .isInstanceOf(IllegalTransitionException.class)
          .hasMessageContaining("run 0 of its batch, which is at run 1");
      TaskChange revive = new TaskLifecycle(LossLimit.DEFAULT).revive(cluster.find(failed));
      assertThatThrownBy(() -> cluster.store().apply(List.of(revive)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("later run");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasks_of_an_earlier_run_do_not_come_back_with_their_parent(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(script);
      script.failing.add("outside");
      UUID outside = node.engine.submit(task("outside"));
      SubmissionReceipt receipt = node.engine.submit(Batch.of(task("inside").after(outside)));
      run(node);
      node.engine.runBatchAgain(receipt.batch());
      run(node);
      script.failing.clear();
      node.engine.revive(outside);
      run(node);

      assertThat(script.ran).containsExactly("outside", "outside", "inside");
      UUID old = receipt.ids().getFirst();
      assertThat(cluster.find(old).state()).isEqualTo(TaskState.FAILURE);
      assertThat(cluster.store().dependencies().propagate(1))
          .as("what is left to propagate")
          .isEqualTo(Propagation.NONE);
    }
  }

  private static Batch batch() {
    return Batch.of(
            task("import").id("import"),
            task("load").id("load").after("import"),
            task("report").after("load"))
        .name("nightly")
        .retry(AFTER_A_WEEK);
  }

  private static NewTask task(String payload) {
    return NewTask.of(ManualNode.KIND, payload);
  }

  /** Runs everything that is due now. */
  private static void run(ManualNode node) {
    int work = 1;
    for (int i = 0; i < 100 && work > 0; i++) {
      work = node.loops.propagate() + node.loops.retryBatches() + node.claimAndRun();
    }
    assertThat(work).as("work that never ends").isZero();
  }

  private static BatchSummary summary(TestCluster cluster, UUID batch) {
    return cluster.store().batches().find(batch).orElseThrow();
  }
}
