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

/** Between its claim and its start the task was canceled or paused, and it started all the same. */
class Fault03CanceledOrPausedStartsAllTheSameTest {

  private static final TaskLifecycle LIFECYCLE = new TaskLifecycle(LossLimit.DEFAULT);

  /** A claim that leaves the start for later, as a webhook's does. */
  private static Task claimWithoutStart(TestCluster testCluster) {
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.RemoteOwner("elsewhere", Duration.ofMinutes(1)),
            List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1)),
            1,
            false);
    return testCluster.store().claim(request).leases().getFirst().task();
  }

  private static WriteResult write(TestCluster testCluster, TaskChange taskChange) {
    return testCluster.store().apply(List.of(taskChange)).getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void what_was_canceled_after_its_claim_does_not_start(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      Task claimed = claimWithoutStart(testCluster);
      node.engine.cancel(id);
      Task canceled = testCluster.find(id);

      assertThat(write(testCluster, LIFECYCLE.start(claimed)))
          .isEqualTo(WriteResult.refused(TaskState.CANCELED, claimed.epoch()));

      assertThat(testCluster.find(id)).isEqualTo(canceled);
      assertThat(canceled.times().startedAt()).isNull();
      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.CANCELED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_paused_after_its_claim_does_not_start_and_is_handed_back(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      Task claimed = claimWithoutStart(testCluster);
      node.engine.pause(id);

      assertThat(write(testCluster, LIFECYCLE.start(claimed)))
          .isEqualTo(WriteResult.refused(TaskState.CLAIMED, claimed.epoch()));
      TaskChange handBack =
          LIFECYCLE.settle(claimed, new Outcome.HandedBack(), testCluster.clock.instant());
      assertThat(write(testCluster, handBack).applied()).isTrue();

      Task back = testCluster.find(id);
      assertThat(back.state()).isEqualTo(TaskState.PENDING);
      assertThat(back.paused()).isTrue();
      assertThat(back.retryCounters()).isEqualTo(claimed.retryCounters());
      assertThat(node.loops.claim()).isZero();

      node.engine.resume(id);
      assertThat(node.claimAndRun()).isOne();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(testCluster.outcomes(id))
          .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_not_touched_does_start(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      Task claimed = claimWithoutStart(testCluster);

      assertThat(write(testCluster, LIFECYCLE.start(claimed)).applied()).isTrue();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(testCluster.find(id).times().startedAt()).isEqualTo(testCluster.clock.instant());
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_canceled_or_paused_is_not_claimed(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode fails = testCluster.node(TestCluster.FAILS);
      RetryPolicy retry = RetryPolicy.fixed(Duration.ofSeconds(5)).maxRetries(3).build();
      List<UUID> retries =
          fails.engine.submitAll(TestCluster.tasks(2, TestCluster.task().retry(retry))).ids();
      assertThat(fails.claimAndRun()).isEqualTo(2);
      List<UUID> fresh = fails.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();
      for (List<UUID> ids : List.of(retries, fresh)) {
        fails.engine.cancel(ids.getFirst());
        fails.engine.pause(ids.get(1));
      }

      testCluster.advance(Duration.ofSeconds(10));
      List<UUID> ran = new ArrayList<>();
      ManualNode node = testCluster.node((payload, context) -> ran.add(context.task().id()));
      assertThat(node.claimAndRun()).isOne();

      assertThat(ran).containsExactly(fresh.getLast());
      assertThat(testCluster.find(retries.get(1)).state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(testCluster.find(fresh.get(1)).state()).isEqualTo(TaskState.PENDING);
      assertThat(testCluster.count(TaskState.CANCELED)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_canceled_before_its_handler_began_is_not_handled(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode node = testCluster.node((payload, context) -> ran.add(context.task().id()));
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.engine.cancel(id);

      node.workers.runAll();
      node.loops.settle();

      assertThat(ran).isEmpty();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.CANCELED);
      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.CANCELED);
      assertThat(node.loops.unsettled()).isZero();
    }
  }
}
