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

/** A handler ends its attempt in a transaction of its own; nobody may take that for a loss. */
@Timeout(120)
class SettleInHandlerTransactionTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final CountDownLatch here = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private volatile boolean cleanedUp;

  /** Stands still until the test says so; an interrupt would end it. */
  private void block() throws InterruptedException {
    here.countDown();
    go.await();
    cleanedUp = true;
  }

  /** One task, and its handler on a thread of its own. */
  private static UUID begun(ManualNode node) {
    UUID id = node.engine.submit(TestCluster.task());
    node.loops.claim();
    node.workers.startAll();
    return id;
  }

  private void ends(ManualNode node) throws InterruptedException {
    go.countDown();
    node.workers.awaitAll();
    node.settleAll();
  }

  private static void settle(TaskContext context, TestCluster testCluster) {
    try (StoreFixture.OpenTransaction openTransaction = testCluster.begin()) {
      context.settleIn(openTransaction.transaction());
      openTransaction.commit();
    }
  }

  private static void assertSucceededOnce(TestCluster testCluster, ManualNode node, UUID id) {
    assertThat(testCluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    assertThat(node.heard.stale()).isEmpty();
    assertThat(node.heard.changes())
        .extracting(TaskChange::event)
        .containsExactly(TaskEvent.SUCCEED);
    assertThat(node.loops.unsettled()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void is_left_alone_in_its_cleanup(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node =
          testCluster.node(
              (payload, context) -> {
                context.progress(1, 2);
                settle(context, testCluster);
                block();
              });
      UUID id = begun(node);
      here.await();
      node.loops.sendHeartbeats();
      node.loops.renew();
      ends(node);

      assertThat(cleanedUp).isTrue();
      assertSucceededOnce(testCluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void has_succeeded_although_its_cleanup_breaks(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node =
          testCluster.node(
              (payload, context) -> {
                settle(context, testCluster);
                throw new IllegalStateException("in the cleanup");
              });
      UUID id = begun(node);
      ends(node);

      assertSucceededOnce(testCluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void has_succeeded_although_its_node_stops_meanwhile(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node =
          testCluster.node(
              (payload, context) -> {
                settle(context, testCluster);
                block();
              });
      UUID id = begun(node);
      here.await();
      node.loops.interruptAll();
      node.workers.awaitAll();
      node.settleAll();

      assertSucceededOnce(testCluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void keeps_nobody_waiting_while_its_transaction_is_open(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(openFor(testCluster, true));
      UUID id = begun(node);
      here.await();
      CompletableFuture<Integer> report = CompletableFuture.supplyAsync(node.loops::sendHeartbeats);
      if (testStore != TestStore.SQLITE) {
        // There, all writers of the file wait for the one that writes.
        assertThat(report).succeedsWithin(SOON).isEqualTo(1);
      }
      ends(node);

      assertThat(report).succeedsWithin(SOON).isEqualTo(1);
      assertThat(cleanedUp).isTrue();
      assertSucceededOnce(testCluster, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void is_heard_of_again_when_it_rolls_back(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      CountDownLatch rolledBack = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      TaskHandler<String> open = openFor(testCluster, false);
      ManualNode node =
          testCluster.node(
              (payload, context) -> {
                open.handle(payload, context);
                rolledBack.countDown();
                end.await();
              });
      UUID id = begun(node);
      here.await();
      CompletableFuture<Integer> report = CompletableFuture.supplyAsync(node.loops::sendHeartbeats);
      if (testStore == TestStore.POSTGRES) {
        assertThat(report).succeedsWithin(SOON).isEqualTo(1);
        assertThat(testCluster.find(id).progress().success()).as("passed over").isZero();
      }
      go.countDown();
      rolledBack.await();
      assertThat(report).succeedsWithin(SOON);
      node.loops.sendHeartbeats();
      assertThat(testCluster.find(id).progress().success()).isEqualTo(1);
      assertThat(node.heard.stale()).isEmpty();
      end.countDown();
      ends(node);

      assertSucceededOnce(testCluster, node, id);
    }
  }

  private TaskHandler<String> openFor(TestCluster testCluster, boolean commits) {
    return (payload, context) -> {
      context.progress(1, 2);
      try (StoreFixture.OpenTransaction openTransaction = testCluster.begin()) {
        context.settleIn(openTransaction.transaction());
        block();
        if (commits) {
          openTransaction.commit();
        }
      }
    };
  }
}
