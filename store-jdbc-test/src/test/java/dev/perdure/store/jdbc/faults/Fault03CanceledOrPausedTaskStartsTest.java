// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault: a task that was canceled or paused between its claim and its start was started anyway. */
class Fault03CanceledOrPausedTaskStartsTest {

  private static final TaskLifecycle LIFECYCLE = new TaskLifecycle(LossLimit.DEFAULT);

  /** Claims a task without starting it, as a webhook does. */
  private static Task claimWithoutStart(TestCluster cluster) {
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.RemoteOwner("elsewhere", Duration.ofMinutes(1)),
            List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1)),
            1,
            false);
    return cluster.store().claim(request).leases().getFirst().task();
  }

  private static WriteResult write(TestCluster cluster, TaskChange change) {
    return cluster.store().apply(List.of(change)).getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void a_task_canceled_after_its_claim_does_not_start(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      Task claimed = claimWithoutStart(cluster);
      node.engine.cancel(id);
      Task canceled = cluster.find(id);

      assertThat(write(cluster, LIFECYCLE.start(claimed)))
          .isEqualTo(WriteResult.refused(TaskState.CANCELED, claimed.epoch()));

      assertThat(cluster.find(id)).isEqualTo(canceled);
      assertThat(canceled.times().startedAt()).isNull();
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.CANCELED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_paused_after_its_claim_is_handed_back_unstarted(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      Task claimed = claimWithoutStart(cluster);
      node.engine.pause(id);

      assertThat(write(cluster, LIFECYCLE.start(claimed)))
          .isEqualTo(WriteResult.refused(TaskState.CLAIMED, claimed.epoch()));
      TaskChange handBack =
          LIFECYCLE.settle(claimed, new Outcome.HandedBack(), cluster.clock.instant());
      assertThat(write(cluster, handBack).applied()).isTrue();

      Task back = cluster.find(id);
      assertThat(back.state()).isEqualTo(TaskState.PENDING);
      assertThat(back.paused()).isTrue();
      assertThat(back.retryCounters()).isEqualTo(claimed.retryCounters());
      assertThat(node.loops.claim()).isZero();

      node.engine.resume(id);
      assertThat(node.claimAndRun()).isOne();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(cluster.outcomes(id))
          .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_unchanged_task_starts(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      Task claimed = claimWithoutStart(cluster);

      assertThat(write(cluster, LIFECYCLE.start(claimed)).applied()).isTrue();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(cluster.find(id).times().startedAt()).isEqualTo(cluster.clock.instant());
    }
  }

  @ParameterizedTest
  @EnumSource
  void canceled_and_paused_tasks_are_not_claimed(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode fails = cluster.node(TestCluster.FAILS);
      RetryPolicy retry = RetryPolicy.fixed(Duration.ofSeconds(5)).maxRetries(3).build();
      List<UUID> retries =
          fails.engine.submitAll(TestCluster.tasks(2, TestCluster.task().retry(retry))).ids();
      assertThat(fails.claimAndRun()).isEqualTo(2);
      List<UUID> fresh = fails.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();
      for (List<UUID> ids : List.of(retries, fresh)) {
        fails.engine.cancel(ids.getFirst());
        fails.engine.pause(ids.get(1));
      }

      cluster.advance(Duration.ofSeconds(10));
      List<UUID> ran = new ArrayList<>();
      ManualNode node = cluster.node((payload, context) -> ran.add(context.task().id()));
      assertThat(node.claimAndRun()).isOne();

      assertThat(ran).containsExactly(fresh.getLast());
      assertThat(cluster.find(retries.get(1)).state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(cluster.find(fresh.get(1)).state()).isEqualTo(TaskState.PENDING);
      assertThat(cluster.count(TaskState.CANCELED)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_canceled_before_its_handler_starts_is_not_run(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode node = cluster.node((payload, context) -> ran.add(context.task().id()));
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.engine.cancel(id);

      node.workers.runAll();
      node.loops.settle();

      assertThat(ran).isEmpty();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.CANCELED);
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.CANCELED);
      assertThat(node.loops.unsettled()).isZero();
    }
  }
}
