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
 * A sign of life came between the search for silent attempts and the write of their timeouts, and
 * the attempt was failed all the same.
 */
class Fault07HeartbeatBeforeTheTimeoutIsWrittenTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String LANE = "perdure:call";
  private static final Duration LEASE = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  void a_handler_that_reports_in_between_goes_on(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(slow);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      node.loops.claim();
      node.workers.startAll();
      TaskContext context = slow.awaitStarted();

      // The store has not heard of it; whoever runs the handler has.
      testCluster.advance(TIMEOUT);
      context.progress(3, 10);
      node.loops.watch();
      assertThat(node.loops.timeOut()).isZero();

      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(testCluster.attempts(id)).isEmpty();
      assertThat(slow.interrupts()).isZero();

      node.loops.renew();
      testCluster.advance(TIMEOUT.minusMillis(1));
      node.loops.watch();
      assertThat(context.stopping()).as("just before it is silent for too long").isFalse();
      testCluster.advance(Duration.ofMillis(1));
      node.loops.watch();
      assertThat(context.stopping()).as("silent for too long once more").isTrue();
      context.progress(4, 10);
      node.workers.awaitAll();
      node.settleAll();
      assertThat(slow.interrupts()).isOne();
      assertThat(testCluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  /** The callee reports by its handle, to any node: the one that calls it does not hear of it. */
  @ParameterizedTest
  @EnumSource
  void a_callee_that_reports_while_it_is_being_called_goes_on(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().queue(LANE).timeout(TIMEOUT));
      TaskContext context = called(node, TaskContext::issueHandle);
      for (int i = 0; i < 5; i++) {
        testCluster.advance(TIMEOUT.minusMillis(1));
        node.loops.renew();
        heartbeat(testCluster, new LeaseKey(id, 1));
        node.loops.watch();
        assertThat(node.loops.timeOut()).isZero();
        assertThat(context.stopping()).isFalse();
      }

      testCluster.advance(TIMEOUT);
      node.loops.renew();
      node.loops.watch();
      assertThat(context.stopping()).as("before the store was asked").isFalse();
      assertThat(node.loops.timeOut()).isOne();
      assertThat(context.stopping()).isTrue();
      node.loops.watch();
      testCluster.advance(Duration.ofSeconds(5));
      node.loops.watch();
      node.workers.awaitAll();
      node.settleAll();
      assertThat(testCluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
      assertThat(node.heard.stale()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_silence_of_a_callee_counts_from_its_last_word(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().queue(LANE).timeout(TIMEOUT));
      called(node, TaskContext::issueHandle);
      Duration before = Duration.ofSeconds(1);
      testCluster.advance(before);
      heartbeat(testCluster, new LeaseKey(id, 1));

      testCluster.advance(TIMEOUT.minus(before));
      node.loops.renew();
      assertThat(node.loops.timeOut()).as("as long as the call, but not silent so long").isZero();

      testCluster.advance(before);
      node.loops.renew();
      assertThat(node.loops.timeOut()).isOne();
      assertThat(testCluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  /** Its answer is the result, and nobody else hears of it: so no retry begins beside it. */
  @ParameterizedTest
  @EnumSource
  void a_call_without_a_handle_is_broken_off_before_its_timeout_is_written(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().queue(LANE).timeout(TIMEOUT));
      TaskContext context = called(node, unlent -> {});

      testCluster.advance(TIMEOUT);
      node.loops.renew();
      node.loops.watch();
      assertThat(context.stopping()).isTrue();
      node.workers.awaitAll();
      assertThat(node.loops.timeOut()).isZero();
      assertThat(testCluster.find(id).state())
          .as("its call has ended")
          .isEqualTo(TaskState.RUNNING);

      node.settleAll();
      assertThat(testCluster.find(id).lastResult().failureKind()).isEqualTo("timeout");
    }
  }

  /** The context of a call that hangs until it is interrupted. */
  private static TaskContext called(ManualNode node, Consumer<TaskContext> first) throws Exception {
    CompletableFuture<TaskContext> called = new CompletableFuture<>();
    node.engine.registerQueue(
        LANE,
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
  void a_remote_worker_heard_in_between_is_not_timed_out(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().timeout(TIMEOUT));
      LeaseKey lease = claimRemotely(testCluster);

      testCluster.advance(TIMEOUT);
      node.loops.renew();
      node.line.after("inactive", () -> heartbeat(testCluster, lease));
      assertThat(node.loops.timeOut()).isZero();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.RUNNING);

      testCluster.advance(TIMEOUT);
      assertThat(node.loops.timeOut()).isOne();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.FAILURE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_heard_in_between_is_not_lost(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      LeaseKey lease = claimRemotely(testCluster);

      for (int i = 0; i < LEASE.toSeconds() / 5; i++) {
        testCluster.advance(Duration.ofSeconds(5));
        node.loops.renew();
      }
      node.line.after("orphans", () -> heartbeat(testCluster, lease));
      assertThat(node.loops.reap()).isZero();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(testCluster.attempts(id)).isEmpty();

      testCluster.advance((int) LEASE.toSeconds(), node);
      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.LOST);
    }
  }

  private static LeaseKey claimRemotely(TestCluster testCluster) {
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.RemoteOwner("elsewhere", LEASE),
            List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1)),
            1,
            true);
    return testCluster.store().claim(request).leases().getFirst().task().lease();
  }

  private static void heartbeat(TestCluster testCluster, LeaseKey lease) {
    assertThat(testCluster.store().heartbeat(List.of(new Heartbeat(lease, null, null, LEASE))))
        .containsExactly(WriteResult.written());
  }
}
