// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.TaskContext;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
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
class SettledByHandlerTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final CountDownLatch here = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private volatile boolean cleanedUp;

  /** Stands still until the test says so; an interrupt would end it. */
  private void stand() throws InterruptedException {
    here.countDown();
    go.await();
    cleanedUp = true;
  }

  /** One task, and its handler on a thread of its own. */
  private static UUID begun(StepNode node) {
    UUID id = node.engine.submit(Stage.task());
    node.does.claim();
    node.desk.beginAll();
    return id;
  }

  private void ends(StepNode node) throws InterruptedException {
    go.countDown();
    node.desk.awaitAll();
    node.settleAll();
  }

  private static void settle(TaskContext context, Stage stage) {
    try (StoreFixture.Begun begun = stage.begin()) {
      context.settleIn(begun.transaction());
      begun.commit();
    }
  }

  private static void assertSucceededOnce(Stage stage, StepNode node, UUID id) {
    assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    assertThat(node.heard.stale()).isEmpty();
    assertThat(node.heard.changes()).extracting(Change::event).containsExactly(TaskEvent.SUCCEED);
    assertThat(node.does.held()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void is_left_alone_in_its_cleanup(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      StepNode node =
          stage.node(
              (payload, context) -> {
                context.progress(1, 2);
                settle(context, stage);
                stand();
              });
      UUID id = begun(node);
      here.await();
      node.does.report();
      node.does.renew();
      ends(node);

      assertThat(cleanedUp).isTrue();
      assertSucceededOnce(stage, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void has_succeeded_although_its_cleanup_breaks(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      StepNode node =
          stage.node(
              (payload, context) -> {
                settle(context, stage);
                throw new IllegalStateException("in the cleanup");
              });
      UUID id = begun(node);
      ends(node);

      assertSucceededOnce(stage, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void has_succeeded_although_its_node_stops_meanwhile(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      StepNode node =
          stage.node(
              (payload, context) -> {
                settle(context, stage);
                stand();
              });
      UUID id = begun(node);
      here.await();
      node.does.interruptAll();
      node.desk.awaitAll();
      node.settleAll();

      assertSucceededOnce(stage, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void keeps_nobody_waiting_while_its_transaction_is_open(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(openFor(stage, true));
      UUID id = begun(node);
      here.await();
      CompletableFuture<Integer> report = CompletableFuture.supplyAsync(node.does::report);
      if (stores != Stores.SQLITE) {
        // There, all writers of the file wait for the one that writes.
        assertThat(report).succeedsWithin(SOON).isEqualTo(1);
      }
      ends(node);

      assertThat(report).succeedsWithin(SOON).isEqualTo(1);
      assertThat(cleanedUp).isTrue();
      assertSucceededOnce(stage, node, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void is_heard_of_again_when_it_rolls_back(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      CountDownLatch rolledBack = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      TaskHandler<String> open = openFor(stage, false);
      StepNode node =
          stage.node(
              (payload, context) -> {
                open.handle(payload, context);
                rolledBack.countDown();
                end.await();
              });
      UUID id = begun(node);
      here.await();
      CompletableFuture<Integer> report = CompletableFuture.supplyAsync(node.does::report);
      if (stores == Stores.POSTGRES) {
        assertThat(report).succeedsWithin(SOON).isEqualTo(1);
        assertThat(stage.find(id).progress().success()).as("passed over").isZero();
      }
      go.countDown();
      rolledBack.await();
      assertThat(report).succeedsWithin(SOON);
      node.does.report();
      assertThat(stage.find(id).progress().success()).isEqualTo(1);
      assertThat(node.heard.stale()).isEmpty();
      end.countDown();
      ends(node);

      assertSucceededOnce(stage, node, id);
    }
  }

  private TaskHandler<String> openFor(Stage stage, boolean commits) {
    return (payload, context) -> {
      context.progress(1, 2);
      try (StoreFixture.Begun begun = stage.begin()) {
        context.settleIn(begun.transaction());
        stand();
        if (commits) {
          begun.commit();
        }
      }
    };
  }
}
