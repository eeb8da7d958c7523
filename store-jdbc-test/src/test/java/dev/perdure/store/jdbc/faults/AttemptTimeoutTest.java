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

/**
 * Only a running attempt that was inactive times out, and its handler is stopped before the retry
 * starts.
 */
class AttemptTimeoutTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final RetryPolicy AT_ONCE = RetryPolicy.immediate().maxRetries(3).build();

  @ParameterizedTest
  @EnumSource
  void a_handler_that_sends_heartbeats_during_an_outage_does_not_time_out(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler busy = BlockingHandler.interruptible();
      ManualNode node = cluster.node(1, busy);
      ManualNode other = cluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      node.loops.claim();
      node.workers.startAll();
      TaskContext context = busy.awaitStarted();
      cluster.advance(20, () -> context.progress(1, 2), node, other);
      node.faults.disconnect();
      other.faults.disconnect();
      cluster.advance(60, () -> context.progress(1, 2), node, other);
      node.workers.awaitAll();
      node.faults.reconnect();
      other.faults.reconnect();
      // The other node knows only the store's data. It must not time the attempt out before the
      // node that ran it hands it back.
      other.tick();
      cluster.advance(3, node, other);

      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_heartbeat_that_is_not_stored_yet_counts(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler busy = BlockingHandler.interruptible();
      ManualNode node = cluster.node(1, busy);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      node.loops.claim();
      node.workers.startAll();
      TaskContext context = busy.awaitStarted();
      for (int second = 0; second < 12; second++) {
        cluster.advance(Duration.ofSeconds(1));
        context.progress(second, 12);
        node.loops.renew();
      }

      node.loops.watch();
      assertThat(node.loops.timeOut()).isZero();
      assertThat(busy.interrupts()).isZero();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_of_a_dead_node_is_lost_and_does_not_time_out(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = cluster.node(1, slow);
      ManualNode other = cluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();

      cluster.advance(26, other);
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.LOST);
      assertThat(cluster.find(id).retryCounters().attempt()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_with_a_lost_response_is_handed_back_and_does_not_time_out(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(1, TestCluster.SUCCEEDS);
      cluster.advance(16, node);
      UUID id = node.engine.submit(TestCluster.task().timeout(Duration.ofSeconds(2)));
      node.faults.loseResponseOf("claim");
      cluster.advance(6, node);

      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_can_still_send_a_heartbeat_after_an_outage(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      LeaseOwner worker = new LeaseOwner.RemoteOwner("elsewhere", Duration.ofHours(1));
      List<ClaimRequest.QueueCapacity> capacity =
          List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1));
      cluster.store().claim(new ClaimRequest(worker, capacity, 1, true));
      node.faults.disconnect();
      cluster.advance(60, node);
      node.faults.reconnect();

      cluster.advance(9, node);
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      cluster.advance(15, node);
      assertThat(cluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_interruptible_handler_ends_before_its_task_is_retried(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = cluster.node(1, slow);
      ManualNode other = cluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();
      cluster.advance(TIMEOUT);

      node.loops.watch();
      node.workers.awaitAll();
      assertThat(slow.interrupts()).isOne();
      assertThat(cluster.find(id).state())
          .as("until the timeout is written")
          .isEqualTo(TaskState.RUNNING);
      assertThat(other.loops.claim()).isZero();
      node.settleAll();
      assertThat(other.claimAndRun()).isOne();
      assertThat(cluster.outcomes(id))
          .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS);
      assertThat(node.listener.changes())
          .extracting(TaskChange::event)
          .containsExactly(TaskEvent.TIME_OUT_AND_RETRY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_uninterruptible_handler_gets_one_second_and_keeps_its_slot(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler blocked = BlockingHandler.uninterruptible();
      ManualNode node = cluster.node(1, blocked);
      ManualNode other = cluster.node(1, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.loops.claim();
      node.workers.startAll();
      blocked.awaitStarted();
      cluster.advance(TIMEOUT);
      node.loops.watch();
      cluster.advance(Duration.ofMillis(999));
      node.loops.watch();
      assertThat(node.loops.settle()).isZero();

      cluster.advance(Duration.ofMillis(1));
      node.loops.watch();
      assertThat(node.loops.settle()).isOne();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(node.loops.claim()).as("the handler keeps its slot while it runs").isZero();
      assertThat(other.claimAndRun()).isOne();
      blocked.release();
      node.workers.awaitAll();
      assertThat(cluster.outcomes(id))
          .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_change_that_the_store_refuses_does_not_block_others(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID first = node.engine.submit(late(cluster));
      UUID second = node.engine.submit(late(cluster));
      cluster.advance(Duration.ofMinutes(2));
      node.faults.refuse("apply", changes -> changes.contains(first.toString()));

      assertThat(node.loops.expire()).isOne();
      assertThat(cluster.find(first).state()).isEqualTo(TaskState.PENDING);
      assertThat(cluster.find(second).state()).isEqualTo(TaskState.FAILURE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_without_a_legal_change_does_not_block_others(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID ended = node.engine.submit(TestCluster.task());
      node.claimAndRun();
      UUID late = node.engine.submit(late(cluster));
      cluster.advance(Duration.ofMinutes(2));
      node.faults.replaceResult("pastDeadline", found -> cluster.prepend(found, ended));

      assertThat(node.loops.expire()).isOne();
      assertThat(cluster.find(late).state()).isEqualTo(TaskState.FAILURE);
      assertThat(cluster.find(ended).state()).isEqualTo(TaskState.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failing_search_for_inactive_attempts_does_not_block_deadlines(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID late = node.engine.submit(late(cluster));
      node.faults.replaceResult(
          "inactive",
          found -> {
            throw new StoreException("no", null, StoreException.ErrorKind.UNAVAILABLE);
          });

      cluster.advance(90, node);
      assertThat(cluster.find(late).lastResult().giveUpReason()).isNotNull();
    }
  }

  private static NewTask late(TestCluster cluster) {
    return TestCluster.task()
        .runIn(Duration.ofDays(1))
        .deadline(cluster.clock.instant().plus(Duration.ofMinutes(1)));
  }
}
