// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A task of a run ends anew between the look at the run and the write of the decision about it. The
 * clock stands still, so no instant tells the two ends apart.
 */
class StaleRunDecisionTest {

  private static final RetryPolicy AFTER_A_WEEK =
      RetryPolicy.fixed(Duration.ofDays(7)).maxRetries(3).jitter(Jitter.none()).build();

  private final List<String> ran = new ArrayList<>();
  private final List<String> failing = new ArrayList<>(List.of("report"));
  private String reason = "first reason";

  private ManualNode node(TestCluster cluster) {
    return cluster.node(
        (payload, context) -> {
          ran.add(payload);
          if (failing.contains(payload)) {
            throw context.fail("broken", reason);
          }
        });
  }

  private static Batch batch() {
    return Batch.of(task("import").id("import"), task("report").after("import"))
        .onSuccess(task("succeeded"))
        .onFailure(task("failed"));
  }

  private static NewTask task(String payload) {
    return NewTask.of(ManualNode.KIND, payload);
  }

  /** Submits the batch and runs its tasks to their end; the run is not decided yet. */
  private static SubmissionReceipt runTasks(ManualNode node, Batch batch) {
    SubmissionReceipt receipt = node.engine.submit(batch);
    int work = 1;
    for (int i = 0; i < 100 && work > 0; i++) {
      work = node.loops.propagate() + node.claimAndRun();
    }
    return receipt;
  }

  /** Runs everything that is due now. */
  private static void run(ManualNode node) {
    int work = 1;
    for (int i = 0; i < 100 && work > 0; i++) {
      work = node.loops.propagate() + node.loops.retryBatches() + node.claimAndRun();
    }
    assertThat(work).as("work that never ends").isZero();
  }

  private static BatchRun onlyRun(TestCluster cluster, UUID batch) {
    List<BatchRun> runs = cluster.store().batches().find(batch).orElseThrow().runs();
    assertThat(runs).hasSize(1);
    return runs.getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_is_resolved_meanwhile_counts_as_resolved(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = node(cluster);
      ManualNode other = node(cluster);
      SubmissionReceipt receipt = runTasks(node, batch());
      node.faults.after(
          "completedRuns",
          () -> other.engine.resolve(receipt.ids().getLast(), null, "done by hand"));
      node.loops.retryBatches();
      assertThat(onlyRun(cluster, receipt.batch()).outcome()).as("the stale decision").isNull();
      run(node);

      assertThat(onlyRun(cluster, receipt.batch()).outcome()).isEqualTo(BatchOutcome.SUCCESS);
      assertThat(ran).containsExactly("import", "report", "succeeded");
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_same_when_the_run_has_learned_of_it(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = node(cluster);
      ManualNode other = node(cluster);
      SubmissionReceipt receipt = runTasks(node, batch());
      node.faults.after(
          "completedRuns",
          () -> {
            other.engine.resolve(receipt.ids().getLast(), null, "done by hand");
            other.loops.propagate();
          });
      node.loops.retryBatches();
      assertThat(onlyRun(cluster, receipt.batch()).outcome()).as("the stale decision").isNull();
      run(node);

      assertThat(onlyRun(cluster, receipt.batch()).outcome()).isEqualTo(BatchOutcome.SUCCESS);
      assertThat(ran).containsExactly("import", "report", "succeeded");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_does_not_run_again_after_its_failure_was_resolved(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = node(cluster);
      SubmissionReceipt receipt = runTasks(node, batch().retry(AFTER_A_WEEK));
      run(node);
      assertThat(onlyRun(cluster, receipt.batch()).nextRunAt()).isNotNull();
      cluster.advance(Duration.ofDays(8));
      node.engine.resolve(receipt.ids().getLast(), null, "done by hand");
      assertThatThrownBy(() -> node.engine.runBatchAgain(receipt.batch()))
          .as("whether it succeeded is not known yet")
          .isInstanceOf(IllegalStateException.class);
      ManualNode later = node(cluster);
      later.loops.retryBatches();
      run(later);

      assertThat(onlyRun(cluster, receipt.batch()).outcome()).isEqualTo(BatchOutcome.SUCCESS);
      assertThat(ran).containsExactly("import", "report", "succeeded");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_fails_once_more_meanwhile_gives_the_failure(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = node(cluster);
      ManualNode other = node(cluster);
      SubmissionReceipt receipt = runTasks(node, batch().retry(AFTER_A_WEEK));
      node.faults.after(
          "completedRuns",
          () -> {
            reason = "second reason";
            other.engine.revive(receipt.ids().getLast());
            other.claimAndRun();
          });
      node.loops.retryBatches();
      assertThat(onlyRun(cluster, receipt.batch()).outcome()).as("the stale decision").isNull();
      run(node);

      BatchRun run = onlyRun(cluster, receipt.batch());
      assertThat(run.failure().reason()).isEqualTo("second reason");
      assertThat(run.nextRunAt()).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_same_when_the_run_has_counted_both_ends(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = node(cluster);
      ManualNode other = node(cluster);
      SubmissionReceipt receipt = runTasks(node, batch().retry(AFTER_A_WEEK));
      node.faults.after(
          "completedRuns",
          () -> {
            reason = "second reason";
            other.engine.revive(receipt.ids().getLast());
            other.loops.propagate();
            other.claimAndRun();
            other.loops.propagate();
          });
      node.loops.retryBatches();
      assertThat(onlyRun(cluster, receipt.batch()).outcome()).as("the stale decision").isNull();
      run(node);

      assertThat(onlyRun(cluster, receipt.batch()).failure().reason()).isEqualTo("second reason");
    }
  }

  /** The decision comes first, and what the task does afterwards reopens the run. */
  @ParameterizedTest
  @EnumSource
  void a_task_that_is_resolved_right_after_the_decision_reopens_the_run(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = node(cluster);
      SubmissionReceipt receipt = node.engine.submit(batch().retry(AFTER_A_WEEK));
      run(node);
      assertThat(onlyRun(cluster, receipt.batch()).nextRunAt()).isNotNull();
      node.engine.resolve(receipt.ids().getLast(), null, "done by hand");
      run(node);

      assertThat(onlyRun(cluster, receipt.batch()).outcome()).isEqualTo(BatchOutcome.SUCCESS);
      assertThat(onlyRun(cluster, receipt.batch()).isFinal()).isTrue();
    }
  }
}
