// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.TaskContext;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.testkit.StoreFixture;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler settles its attempt in its own transaction, and that never counts as a loss. */
@Timeout(120)
class SettleInHandlerTransactionTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private volatile boolean cleanedUp;

  /** Blocks until the test continues. An interrupt would end it. */
  private void block() throws InterruptedException {
    blocked.countDown();
    release.await();
    cleanedUp = true;
  }

  /** Submits a task and starts its handler on its own thread. */
  private static UUID start(ManualNode node) {
    UUID id = node.engine.submit(TestCluster.task());
    node.loops.claim();
    node.workers.startAll();
    return id;
  }

  private void finish(ManualNode node) throws InterruptedException {
    release.countDown();
    node.workers.awaitAll();
    node.settleAll();
  }

  private static void settle(TaskContext context, TestCluster cluster) {
    try (StoreFixture.OpenTransaction openTransaction = cluster.begin()) {
      context.settleIn(openTransaction.transaction());
      openTransaction.commit();
    }
  }

  private static void assertSucceededOnce(TestCluster cluster, ManualNode node, UUID id) {
    assertThat(cluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    assertThat(node.listener.stale()).isEmpty();
    assertThat(node.listener.changes())
        .extracting(TaskChange::event)
        .containsExactly(TaskEvent.SUCCEED);
    assertThat(node.loops.unsettled()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_settled_handler_is_not_interrupted_during_its_cleanup(TestStore testStore)
      throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node =
          cluster.node(
              (payload, context) -> {
                context.progress(1, 2);
                settle(context, cluster);
                block();
              });
      UUID id = start(node);
      blocked.await();
      node.loops.sendHeartbeats();
      node.loops.renew();
      finish(node);

      assertThat(cleanedUp).isTrue();
      assertSucceededOnce(cluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failing_cleanup_does_not_change_the_success(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node =
          cluster.node(
              (payload, context) -> {
                settle(context, cluster);
                throw new IllegalStateException("cleanup failed");
              });
      UUID id = start(node);
      finish(node);

      assertSucceededOnce(cluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stopping_node_does_not_change_the_success(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node =
          cluster.node(
              (payload, context) -> {
                settle(context, cluster);
                block();
              });
      UUID id = start(node);
      blocked.await();
      node.loops.interruptAll();
      node.workers.awaitAll();
      node.settleAll();

      assertSucceededOnce(cluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_open_transaction_does_not_block_heartbeats(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(settleAndBlock(cluster, true));
      UUID id = start(node);
      blocked.await();
      CompletableFuture<Integer> report = CompletableFuture.supplyAsync(node.loops::sendHeartbeats);
      if (testStore != TestStore.SQLITE) {
        // On SQLite all writers wait for the open transaction, or come when it is over.
        assertThat(report).succeedsWithin(SOON).isEqualTo(1);
      }
      finish(node);

      assertThat(report).succeedsWithin(SOON);
      assertThat(cleanedUp).isTrue();
      assertSucceededOnce(cluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void heartbeats_are_written_again_after_a_rollback(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      CountDownLatch rolledBack = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      TaskHandler<String> handler = settleAndBlock(cluster, false);
      ManualNode node =
          cluster.node(
              (payload, context) -> {
                handler.handle(payload, context);
                rolledBack.countDown();
                end.await();
              });
      UUID id = start(node);
      blocked.await();
      CompletableFuture<Integer> report = CompletableFuture.supplyAsync(node.loops::sendHeartbeats);
      if (testStore == TestStore.POSTGRES) {
        assertThat(report).succeedsWithin(SOON).isEqualTo(1);
        assertThat(cluster.find(id).progress().success())
            .as("skipped because of the lock")
            .isZero();
      }
      release.countDown();
      rolledBack.await();
      assertThat(report).succeedsWithin(SOON);
      node.loops.sendHeartbeats();
      assertThat(cluster.find(id).progress().success()).isEqualTo(1);
      assertThat(node.listener.stale()).isEmpty();
      end.countDown();
      finish(node);

      assertSucceededOnce(cluster, node, id);
    }
  }

  private TaskHandler<String> settleAndBlock(TestCluster cluster, boolean commits) {
    return (payload, context) -> {
      context.progress(1, 2);
      try (StoreFixture.OpenTransaction openTransaction = cluster.begin()) {
        context.settleIn(openTransaction.transaction());
        block();
        if (commits) {
          openTransaction.commit();
        }
      }
    };
  }
}
