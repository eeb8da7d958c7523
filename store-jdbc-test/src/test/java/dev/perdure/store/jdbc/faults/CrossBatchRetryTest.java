// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.BatchRun;
import dev.perdure.engine.task.IllegalTransitionException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches that run again and depend on tasks of other batches. */
class CrossBatchRetryTest {

  private static final RetryPolicy AT_ONCE =
      RetryPolicy.fixed(Duration.ofMillis(1)).maxRetries(3).jitter(Jitter.none()).build();

  private final Set<String> failing = new HashSet<>();

  private void handle(String payload, TaskContext context) {
    if (failing.contains(payload)) {
      throw context.fail("broken", payload + " is broken");
    }
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

  private static List<BatchRun> runs(TestCluster cluster, UUID batch) {
    return cluster.store().batches().find(batch).orElseThrow().runs();
  }

  /** Another run would fail at once, for the same reason. */
  @ParameterizedTest
  @EnumSource
  void no_run_is_spent_on_a_failure_in_another_batch(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(this::handle);
      failing.add("outside");
      UUID outside = node.engine.submit(task("outside"));
      UUID batch =
          node.engine.submit(Batch.of(task("inside").after(outside)).retry(AT_ONCE)).batch();
      run(node);

      assertThat(runs(cluster, batch)).hasSize(1);
      BatchRun ended = runs(cluster, batch).getFirst();
      assertThat(ended.outcome()).isEqualTo(BatchOutcome.FAILURE);
      assertThat(ended.giveUpReason()).isEqualTo(TaskGiveUpReason.NOT_RETRYABLE);
      assertThat(ended.isFinal()).isTrue();

      failing.clear();
      cluster.advance(Duration.ofMillis(1));
      node.engine.revive(outside);
      run(node);
      assertThat(runs(cluster, batch)).hasSize(1);
      assertThat(runs(cluster, batch).getFirst().outcome()).isEqualTo(BatchOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_of_another_batch_comes_back_when_a_later_run_succeeds(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(this::handle);
      failing.add("a");
      SubmissionReceipt receipt = node.engine.submit(Batch.of(task("a")).retry(AT_ONCE));
      UUID outside = node.engine.submit(task("outside").after(receipt.ids().getFirst()));
      for (int i = 0; i < 4; i++) {
        run(node);
        cluster.advance(Duration.ofMillis(2));
      }
      assertThat(runs(cluster, receipt.batch()).getLast().isFinal()).isTrue();
      assertThat(cluster.find(outside).state()).isEqualTo(TaskState.FAILURE);

      failing.clear();
      node.engine.runBatchAgain(receipt.batch());
      run(node);
      assertThat(runs(cluster, receipt.batch())).hasSize(5);
      assertThat(cluster.find(outside).state()).isEqualTo(TaskState.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_depends_on_an_earlier_run_is_told_how_to_go_on(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(this::handle);
      failing.add("a");
      SubmissionReceipt receipt = node.engine.submit(Batch.of(task("a").id("a")));
      UUID first = receipt.ids().getFirst();
      UUID outside = node.engine.submit(task("outside").after(first));
      run(node);
      failing.clear();
      node.engine.runBatchAgain(receipt.batch());
      run(node);

      assertThat(cluster.find(outside).state()).isEqualTo(TaskState.FAILURE);
      assertThatThrownBy(() -> node.engine.revive(outside))
          .isInstanceOf(IllegalTransitionException.class)
          .hasMessage(
              "cannot retry task %s, which is Failure: it depends on a (%s), which failed in an"
                  + " earlier run of its batch and cannot be retried; retry with"
                  + " ignore_dependencies",
              outside, first);
      node.engine.reviveIgnoringDependencies(outside);
      run(node);
      assertThat(cluster.find(outside).state()).isEqualTo(TaskState.SUCCESS);
      assertThatThrownBy(() -> node.engine.resolve(first, null, "by hand"))
          .hasMessageStartingWith("cannot resolve task " + first)
          .hasMessageContaining("run 0 of its batch, which is at run 1");
    }
  }
}
