// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: the end of an attempt arrived while the next attempt was running, and ended that one
 * instead.
 */
class Fault01LateCallbackTest {

  private static final RetryPolicy AFTER_A_MINUTE =
      RetryPolicy.fixed(Duration.ofMinutes(1)).maxRetries(3).jitter(Jitter.none()).build();

  private static final List<Outcome> ENDS =
      List.of(
          new Outcome.Succeeded("\"late\""),
          new Outcome.Failed(Failure.timeout(), null),
          new Outcome.Snoozed(Duration.ofSeconds(1)),
          new Outcome.HandedBack(),
          new Outcome.Parked("late"));

  /** One node's attempt ends late, while another node runs the task. */
  private static final class LateEndScenario {

    final TestCluster cluster;
    final BlockingHandler slow = BlockingHandler.uninterruptible();
    final ManualNode first;
    final ManualNode second;
    final UUID id;

    LateEndScenario(TestCluster cluster) throws InterruptedException {
      this.cluster = cluster;
      first = cluster.node(slow);
      second = cluster.node(TestCluster.SUCCEEDS);
      id =
          first.engine.submit(
              TestCluster.task().retry(AFTER_A_MINUTE).timeout(Duration.ofMinutes(2)));
      first.loops.claim();
      first.workers.startAll();
      slow.awaitStarted();
    }

    /**
     * Asserts that the late end is refused and changes nothing, and that the second node's own end
     * counts.
     */
    void assertRefused(long attempt) throws InterruptedException {
      Task before = cluster.find(id);
      assertThat(before.state()).isEqualTo(TaskState.RUNNING);
      assertThat(before.epoch()).isEqualTo(2);
      assertThat(before.retryCounters().attempt()).isEqualTo(attempt);

      slow.release();
      first.workers.awaitAll();
      first.loops.settle();

      assertThat(cluster.find(id)).isEqualTo(before);
      assertThat(cluster.attempts(id)).hasSize(1);
      assertThat(first.loops.unsettled()).isZero();

      second.workers.runAll();
      second.loops.settle();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(cluster.find(id).lastResult().result()).isNull();
      assertThat(cluster.attempts(id)).hasSize(2);
    }

    /** Asserts that the first node did not know that its lease had ended. */
    void assertReportedStale() {
      assertThat(first.listener.stale()).containsExactly(new LeaseKey(id, 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timed_out_attempt_does_not_end_the_next_attempt(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      LateEndScenario late = new LateEndScenario(cluster);
      // Two minutes of inactivity, plus a second for a handler that ignores its interrupt.
      cluster.advance(121, late.first, late.second);
      assertThat(cluster.find(late.id).state()).isEqualTo(TaskState.RETRY_PENDING);
      cluster.advance(60, late.second);

      late.assertRefused(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_lost_attempt_does_not_end_its_repetition_on_another_node(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      LateEndScenario late = new LateEndScenario(cluster);
      cluster.advance(28, late.second);

      late.assertRefused(0);
      late.assertReportedStale();
      assertThat(cluster.outcomes(late.id))
          .containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_canceled_attempt_does_not_end_the_attempt_after_a_revive(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      LateEndScenario late = new LateEndScenario(cluster);
      late.second.engine.cancel(late.id);
      late.second.engine.revive(late.id);
      assertThat(late.second.loops.claim()).isOne();

      late.assertRefused(1);
      late.assertReportedStale();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_canceled_attempt_does_not_end_a_revived_task_that_is_pending(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      LateEndScenario late = new LateEndScenario(cluster);
      late.second.engine.cancel(late.id);
      late.second.engine.revive(late.id);
      Task waiting = cluster.find(late.id);

      late.slow.release();
      late.first.workers.awaitAll();
      late.first.loops.settle();

      assertThat(cluster.find(late.id)).isEqualTo(waiting);
      assertThat(waiting.state()).isEqualTo(TaskState.PENDING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_that_is_reported_twice_counts_once(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);
      ManualNode node = cluster.node(TestCluster.FAILS);
      UUID id = node.engine.submit(TestCluster.task().retry(AFTER_A_MINUTE));
      node.loops.claim();
      Task attempt0 = cluster.find(id);
      node.workers.runAll();
      node.loops.settle();

      Task waiting = cluster.find(id);
      assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);
      for (Outcome end : ENDS) {
        assertRefused(cluster, lifecycle, attempt0, end, waiting);
      }

      cluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      assertThat(cluster.node(TestCluster.SUCCEEDS).loops.claim()).isOne();
      Task attempt1 = cluster.find(id);
      for (Outcome end : ENDS) {
        assertRefused(cluster, lifecycle, attempt0, end, attempt1);
      }
      assertThat(attempt1.retryCounters().attempt()).isOne();
    }
  }

  private static void assertRefused(
      TestCluster cluster, TaskLifecycle lifecycle, Task stale, Outcome end, Task current) {
    List<WriteResult> results =
        cluster.store().apply(List.of(lifecycle.settle(stale, end, cluster.clock.instant())));
    assertThat(results)
        .as("%s", end)
        .containsExactly(WriteResult.refused(current.state(), current.epoch()));
    assertThat(cluster.find(stale.id())).as("%s", end).isEqualTo(current);
    assertThat(cluster.attempts(stale.id())).hasSize(1);
  }
}
