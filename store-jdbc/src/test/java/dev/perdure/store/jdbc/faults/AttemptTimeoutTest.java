// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only a handler that ran and was silent times out; and it is stopped before it is tried again. */
class AttemptTimeoutTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final RetryPolicy AT_ONCE = RetryPolicy.immediate().maxRetries(3).build();

  @ParameterizedTest
  @EnumSource
  void a_handler_that_reports_through_an_outage_is_not_timed_out(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler busy = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(1, busy);
      ManualNode other = testCluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      node.loops.claim();
      node.workers.startAll();
      TaskContext context = busy.awaitStarted();
      testCluster.advance(20, () -> context.progress(1, 2), node, other);
      node.line.disconnect();
      other.line.disconnect();
      testCluster.advance(60, () -> context.progress(1, 2), node, other);
      node.workers.awaitAll();
      node.line.reconnect();
      other.line.reconnect();
      // Who judges by what the store was told must not be faster than who hands back.
      other.tick();
      testCluster.advance(3, node, other);

      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_sign_that_the_store_has_not_heard_of_counts(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler busy = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(1, busy);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      node.loops.claim();
      node.workers.startAll();
      TaskContext context = busy.awaitStarted();
      for (int second = 0; second < 12; second++) {
        testCluster.advance(Duration.ofSeconds(1));
        context.progress(second, 12);
        node.loops.renew();
      }

      node.loops.watch();
      assertThat(node.loops.timeOut()).isZero();
      assertThat(busy.interrupts()).isZero();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_dead_node_ran_is_lost_and_not_timed_out(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(1, slow);
      ManualNode other = testCluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();

      testCluster.advance(26, other);
      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.LOST);
      assertThat(testCluster.find(id).retryCounters().attempt()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_nobody_was_told_of_is_handed_back_and_not_timed_out(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(1, TestCluster.SUCCEEDS);
      testCluster.advance(16, node);
      UUID id = node.engine.submit(TestCluster.task().timeout(Duration.ofSeconds(2)));
      node.line.loseResponseOf("claim");
      testCluster.advance(6, node);

      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_has_the_time_to_be_heard_after_an_outage(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      LeaseOwner worker = new LeaseOwner.RemoteOwner("elsewhere", Duration.ofHours(1));
      List<ClaimRequest.QueueCapacity> room =
          List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1));
      testCluster.store().claim(new ClaimRequest(worker, room, 1, true));
      node.line.disconnect();
      testCluster.advance(60, node);
      node.line.reconnect();

      testCluster.advance(9, node);
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      testCluster.advance(15, node);
      assertThat(testCluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_obedient_handler_has_ended_before_anybody_gets_its_task(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(1, slow);
      ManualNode other = testCluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();
      testCluster.advance(TIMEOUT);

      node.loops.watch();
      node.workers.awaitAll();
      assertThat(slow.interrupts()).isOne();
      assertThat(testCluster.find(id).state())
          .as("until its end is written")
          .isEqualTo(TaskState.RUNNING);
      assertThat(other.loops.claim()).isZero();
      node.settleAll();
      assertThat(other.claimAndRun()).isOne();
      assertThat(testCluster.outcomes(id))
          .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS);
      assertThat(node.heard.changes())
          .extracting(TaskChange::event)
          .containsExactly(TaskEvent.TIME_OUT_AND_RETRY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stubborn_handler_is_waited_for_a_second_and_keeps_its_slot(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler stubborn = BlockingHandler.uninterruptible();
      ManualNode node = testCluster.node(1, stubborn);
      ManualNode other = testCluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.loops.claim();
      node.workers.startAll();
      stubborn.awaitStarted();
      testCluster.advance(TIMEOUT);
      node.loops.watch();
      testCluster.advance(Duration.ofMillis(999));
      node.loops.watch();
      assertThat(node.loops.settle()).isZero();

      testCluster.advance(Duration.ofMillis(1));
      node.loops.watch();
      assertThat(node.loops.settle()).isOne();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(node.loops.claim()).as("its slot is taken as long as it runs").isZero();
      assertThat(other.claimAndRun()).isOne();
      stubborn.release();
      node.workers.awaitAll();
      assertThat(testCluster.outcomes(id))
          .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_task_that_the_store_does_not_take_keeps_no_other_waiting(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID first = node.engine.submit(late(testCluster));
      UUID second = node.engine.submit(late(testCluster));
      testCluster.advance(Duration.ofMinutes(2));
      node.line.refuse("apply", changes -> changes.contains(first.toString()));

      assertThat(node.loops.expire()).isOne();
      assertThat(testCluster.find(first).state()).isEqualTo(TaskState.PENDING);
      assertThat(testCluster.find(second).state()).isEqualTo(TaskState.FAILURE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_task_that_cannot_be_decided_keeps_no_other_waiting(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID ended = node.engine.submit(TestCluster.task());
      node.claimAndRun();
      UUID late = node.engine.submit(late(testCluster));
      testCluster.advance(Duration.ofMinutes(2));
      node.line.replaceResult("pastDeadline", found -> testCluster.prepend(found, ended));

      assertThat(node.loops.expire()).isOne();
      assertThat(testCluster.find(late).state()).isEqualTo(TaskState.FAILURE);
      assertThat(testCluster.find(ended).state()).isEqualTo(TaskState.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_store_that_cannot_tell_what_is_silent_holds_up_no_deadline(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID late = node.engine.submit(late(testCluster));
      node.line.replaceResult(
          "silent",
          found -> {
            throw new StoreException("no", null, StoreException.ErrorKind.UNAVAILABLE);
          });

      testCluster.advance(90, node);
      assertThat(testCluster.find(late).lastResult().giveUpReason()).isNotNull();
    }
  }

  private static NewTask late(TestCluster testCluster) {
    return TestCluster.task()
        .runIn(Duration.ofDays(1))
        .deadline(testCluster.clock.instant().plus(Duration.ofMinutes(1)));
  }
}
