// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: a heartbeat arrived between the search for inactive attempts and the write of their
 * timeouts, and the attempt was failed anyway.
 */
class Fault07HeartbeatBeforeTheTimeoutIsWrittenTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String QUEUE = "perdure:call";
  private static final Duration LEASE = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  void a_handler_that_reports_before_the_write_continues(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = cluster.node(slow);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      node.loops.claim();
      node.workers.startAll();
      TaskContext context = slow.awaitStarted();

      // The store has not seen this heartbeat, but the node that runs the handler has.
      cluster.advance(TIMEOUT);
      context.progress(3, 10);
      node.loops.watch();
      assertThat(node.loops.timeOut()).isZero();

      assertThat(cluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(cluster.attempts(id)).isEmpty();
      assertThat(slow.interrupts()).isZero();

      node.loops.renew();
      cluster.advance(TIMEOUT.minusMillis(1));
      node.loops.watch();
      assertThat(context.stopping()).as("just before the timeout").isFalse();
      cluster.advance(Duration.ofMillis(1));
      node.loops.watch();
      assertThat(context.stopping()).as("at the timeout").isTrue();
      context.progress(4, 10);
      node.workers.awaitAll();
      node.settleAll();
      assertThat(slow.interrupts()).isOne();
      assertThat(cluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  /**
   * The callee can report with its handle to any node, so the calling node may not see its
   * heartbeats.
   */
  @ParameterizedTest
  @EnumSource
  void a_callee_that_reports_during_its_call_continues(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().queue(QUEUE).timeout(TIMEOUT));
      TaskContext context = called(node, TaskContext::issueHandle);
      for (int i = 0; i < 5; i++) {
        cluster.advance(TIMEOUT.minusMillis(1));
        node.loops.renew();
        heartbeat(cluster, new LeaseKey(id, 1));
        node.loops.watch();
        assertThat(node.loops.timeOut()).isZero();
        assertThat(context.stopping()).isFalse();
      }

      cluster.advance(TIMEOUT);
      node.loops.renew();
      node.loops.watch();
      assertThat(context.stopping()).as("before the store was checked").isFalse();
      assertThat(node.loops.timeOut()).isOne();
      assertThat(context.stopping()).isTrue();
      node.loops.watch();
      cluster.advance(Duration.ofSeconds(5));
      node.loops.watch();
      node.workers.awaitAll();
      node.settleAll();
      assertThat(cluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
      assertThat(node.listener.stale()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_timeout_of_a_callee_counts_from_its_last_heartbeat(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().queue(QUEUE).timeout(TIMEOUT));
      called(node, TaskContext::issueHandle);
      Duration before = Duration.ofSeconds(1);
      cluster.advance(before);
      heartbeat(cluster, new LeaseKey(id, 1));

      cluster.advance(TIMEOUT.minus(before));
      node.loops.renew();
      assertThat(node.loops.timeOut()).as("called long ago but active since").isZero();

      cluster.advance(before);
      node.loops.renew();
      assertThat(node.loops.timeOut()).isOne();
      assertThat(cluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  /** The response is the result, and no other node sees it, so no retry may start meanwhile. */
  @ParameterizedTest
  @EnumSource
  void a_call_without_a_handle_is_interrupted_before_its_timeout_is_written(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().queue(QUEUE).timeout(TIMEOUT));
      TaskContext context = called(node, noHandle -> {});

      cluster.advance(TIMEOUT);
      node.loops.renew();
      node.loops.watch();
      assertThat(context.stopping()).isTrue();
      node.workers.awaitAll();
      assertThat(node.loops.timeOut()).isZero();
      assertThat(cluster.find(id).state())
          .as("the call has ended but the timeout is not written")
          .isEqualTo(TaskState.RUNNING);

      node.settleAll();
      assertThat(cluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  /** Returns the context of a call that blocks until it is interrupted. */
  private static TaskContext called(ManualNode node, Consumer<TaskContext> first) throws Exception {
    CompletableFuture<TaskContext> called = new CompletableFuture<>();
    node.engine.registerQueue(
        QUEUE,
        context -> {
          first.accept(context);
          called.complete(context);
          new CountDownLatch(1).await();
        },
        HandlerOptions.defaults());
    node.loops.claim();
    node.workers.startAll();
    return called.get();
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_that_reports_before_the_write_does_not_time_out(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      LeaseKey lease = claimRemotely(cluster);

      cluster.advance(TIMEOUT);
      node.loops.renew();
      node.faults.after("inactive", () -> heartbeat(cluster, lease));
      assertThat(node.loops.timeOut()).isZero();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.RUNNING);

      cluster.advance(TIMEOUT);
      assertThat(node.loops.timeOut()).isOne();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.FAILURE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_that_reports_before_the_write_is_not_lost(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      LeaseKey lease = claimRemotely(cluster);

      for (int i = 0; i < LEASE.toSeconds() / 5; i++) {
        cluster.advance(Duration.ofSeconds(5));
        node.loops.renew();
      }
      node.faults.after("orphans", () -> heartbeat(cluster, lease));
      assertThat(node.loops.reap()).isZero();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(cluster.attempts(id)).isEmpty();

      cluster.advance((int) LEASE.toSeconds(), node);
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.LOST);
    }
  }

  private static LeaseKey claimRemotely(TestCluster cluster) {
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.RemoteOwner("elsewhere", LEASE),
            List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1)),
            1,
            true);
    return cluster.store().claim(request).leases().getFirst().task().lease();
  }

  private static void heartbeat(TestCluster cluster, LeaseKey lease) {
    assertThat(cluster.store().heartbeat(List.of(new Heartbeat(lease, null, null, LEASE))))
        .containsExactly(WriteResult.written());
  }
}
