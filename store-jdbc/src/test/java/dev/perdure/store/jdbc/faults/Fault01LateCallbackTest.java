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
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of an attempt came when the next one was under way, and ended that instead. */
class Fault01LateCallbackTest {

  private static final RetryPolicy AFTER_A_MINUTE =
      RetryPolicy.fixed(Duration.ofMinutes(1)).maxRetries(3).build();

  private static final List<Outcome> ENDS =
      List.of(
          new Outcome.Succeeded("\"late\""),
          new Outcome.Failed(Failure.timeout(), null),
          new Outcome.Snoozed(Duration.ofSeconds(1)),
          new Outcome.HandedBack(),
          new Outcome.Parked("late"));

  /** A late end of one node's attempt, while another node runs the task. */
  private static final class Late {

    final TestCluster stage;
    final BlockingHandler slow = BlockingHandler.uninterruptible();
    final ManualNode first;
    final ManualNode second;
    final UUID id;

    Late(TestCluster testCluster) throws InterruptedException {
      this.stage = testCluster;
      first = testCluster.node(slow);
      second = testCluster.node(TestCluster.SUCCEEDS);
      id =
          first.engine.submit(
              TestCluster.task().retry(AFTER_A_MINUTE).timeout(Duration.ofMinutes(2)));
      first.loops.claim();
      first.workers.startAll();
      slow.awaitStarted();
    }

    /** The late end is refused and leaves no trace; the second node's own end counts. */
    void isRefused(long attempt) throws InterruptedException {
      Task before = stage.find(id);
      assertThat(before.state()).isEqualTo(TaskState.RUNNING);
      assertThat(before.epoch()).isEqualTo(2);
      assertThat(before.retryCounters().attempt()).isEqualTo(attempt);

      slow.release();
      first.workers.awaitAll();
      first.loops.settle();

      assertThat(stage.find(id)).isEqualTo(before);
      assertThat(stage.attempts(id)).hasSize(1);
      assertThat(first.loops.unsettled()).isZero();

      second.workers.runAll();
      second.loops.settle();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(stage.find(id).lastResult().result()).isNull();
      assertThat(stage.attempts(id)).hasSize(2);
    }

    /** The first node had not heard that the task had moved on. */
    void comesAsASurprise() {
      assertThat(first.heard.stale()).containsExactly(new LeaseKey(id, 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_timed_out_does_not_end_the_next_one(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Late late = new Late(testCluster);
      // Two minutes of silence, and a second for a handler that does not obey.
      testCluster.advance(121, late.first, late.second);
      assertThat(testCluster.find(late.id).state()).isEqualTo(TaskState.RETRY_PENDING);
      testCluster.advance(60, late.second);

      late.isRefused(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_was_lost_does_not_end_the_same_attempt_elsewhere(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Late late = new Late(testCluster);
      testCluster.advance(28, late.second);

      late.isRefused(0);
      late.comesAsASurprise();
      assertThat(testCluster.outcomes(late.id))
          .containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_was_canceled_does_not_end_the_one_after_a_revive(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Late late = new Late(testCluster);
      late.second.engine.cancel(late.id);
      late.second.engine.revive(late.id);
      assertThat(late.second.loops.claim()).isOne();

      late.isRefused(1);
      late.comesAsASurprise();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_was_canceled_does_not_end_a_revived_task_that_waits(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Late late = new Late(testCluster);
      late.second.engine.cancel(late.id);
      late.second.engine.revive(late.id);
      Task waiting = testCluster.find(late.id);

      late.slow.release();
      late.first.workers.awaitAll();
      late.first.loops.settle();

      assertThat(testCluster.find(late.id)).isEqualTo(waiting);
      assertThat(waiting.state()).isEqualTo(TaskState.PENDING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_that_is_told_twice_counts_once_whatever_it_is(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      TaskLifecycle taskLifecycle = new TaskLifecycle(LossLimit.DEFAULT);
      ManualNode node = testCluster.node(TestCluster.FAILS);
      UUID id = node.engine.submit(TestCluster.task().retry(AFTER_A_MINUTE));
      node.loops.claim();
      Task attempt0 = testCluster.find(id);
      node.workers.runAll();
      node.loops.settle();

      Task waiting = testCluster.find(id);
      assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);
      for (Outcome end : ENDS) {
        refused(testCluster, taskLifecycle, attempt0, end, waiting);
      }

      testCluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      assertThat(testCluster.node(TestCluster.SUCCEEDS).loops.claim()).isOne();
      Task attempt1 = testCluster.find(id);
      for (Outcome end : ENDS) {
        refused(testCluster, taskLifecycle, attempt0, end, attempt1);
      }
      assertThat(attempt1.retryCounters().attempt()).isOne();
    }
  }

  private static void refused(
      TestCluster testCluster, TaskLifecycle taskLifecycle, Task then, Outcome end, Task stands) {
    List<WriteResult> writeResults =
        testCluster
            .store()
            .apply(List.of(taskLifecycle.settle(then, end, testCluster.clock.instant())));
    assertThat(writeResults)
        .as("%s", end)
        .containsExactly(WriteResult.refused(stands.state(), stands.epoch()));
    assertThat(testCluster.find(then.id())).as("%s", end).isEqualTo(stands);
    assertThat(testCluster.attempts(then.id())).hasSize(1);
  }
}
