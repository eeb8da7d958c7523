// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commit was done and its answer lost: the task was claimed, and nobody ran it, for ever. */
class Fault23LostCommitAnswerTest {

  private static void losesItsAnswer(ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(StoreException.class))
        .matches(StoreException::unknown, "unknown");
  }

  @ParameterizedTest
  @EnumSource
  void what_a_claim_took_unanswered_is_handed_back_at_the_next_renewal(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode node = testCluster.node((payload, context) -> ran.add(context.task().id()));
      ManualNode other = testCluster.node(TestCluster.SUCCEEDS);
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();
      node.line.loseResponseOf("claim");
      losesItsAnswer(node.loops::claim);
      assertThat(testCluster.count(TaskState.RUNNING)).isEqualTo(3);
      assertThat(node.loops.unsettled()).isZero();
      assertThat(other.loops.claim()).isZero();

      testCluster.advance(Duration.ofSeconds(5));
      node.loops.renew();
      assertThat(node.loops.reconcile()).isEqualTo(3);
      assertThat(testCluster.count(TaskState.PENDING)).isEqualTo(3);
      assertThat(node.heard.changes())
          .extracting(TaskChange::task)
          .containsExactlyInAnyOrderElementsOf(ids);
      assertThat(node.claimAndRun()).isEqualTo(3);

      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
      for (UUID id : ids) {
        assertThat(testCluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
        assertThat(testCluster.find(id).retryCounters().losses()).isZero();
        assertThat(testCluster.outcomes(id))
            .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_whose_answer_is_only_late_is_not_handed_back(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      node.line.after(
          "claim",
          () -> {
            node.loops.renew();
            assertThat(node.loops.reconcile()).isZero();
          });
      assertThat(node.claimAndRun()).isOne();

      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_leaves_hands_back_what_a_claim_took_unanswered(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID before = node.engine.submit(TestCluster.task());
      node.line.loseResponseOf("claim");
      losesItsAnswer(node.loops::claim);
      testCluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      UUID now = node.engine.submit(TestCluster.task());
      node.line.loseResponseOf("claim");
      losesItsAnswer(node.loops::claim);

      node.loops.leave();
      assertThat(testCluster.store().nodes().alive()).isEmpty();
      for (UUID id : List.of(before, now)) {
        assertThat(testCluster.find(id).state()).isEqualTo(TaskState.PENDING);
        assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void however_much_is_to_be_handed_back_a_renewal_is_one_call(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(250, TestCluster.SUCCEEDS);
      node.engine.submitAll(TestCluster.tasks(250, TestCluster.task()));
      node.line.loseResponseOf("claim");
      losesItsAnswer(node.loops::claim);

      AtomicInteger calls = new AtomicInteger();
      node.line.around(calls::incrementAndGet);
      testCluster.advance(Duration.ofSeconds(5));
      node.loops.renew();
      node.loops.renew();
      node.line.around(() -> {});
      assertThat(calls).as("before and after each call").hasValue(4);
      assertThat(List.of(node.loops.reconcile(), node.loops.reconcile(), node.loops.reconcile()))
          .containsExactly(100, 100, 50);
      assertThat(testCluster.count(TaskState.PENDING)).isEqualTo(250);
    }
  }

  @ParameterizedTest
  @EnumSource
  void trouble_with_what_a_former_id_holds_does_not_hold_up_the_present_one(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(slow);
      UUID old = node.engine.submit(TestCluster.task());
      node.line.loseResponseOf("claim");
      losesItsAnswer(node.loops::claim);
      testCluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      node.line.refuse("leasesOf", text -> true);

      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.startAll();
      Task running = slow.awaitStarted().task();
      testCluster.store().apply(List.of(new TaskLifecycle(LossLimit.DEFAULT).cancel(running)));
      node.loops.renew();
      node.workers.awaitAll();
      assertThat(slow.interrupts()).as("it is no longer the node's").isOne();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.CANCELED);
      assertThat(testCluster.find(old).state()).isEqualTo(TaskState.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_written_unanswered_is_written_once_and_told_once(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node((payload, context) -> context.result("done"));
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();
      node.loops.claim();
      node.workers.runAll();
      node.line.loseResponseOf("apply");
      losesItsAnswer(node.loops::settle);
      assertThat(node.loops.unsettled()).as("slots taken while nobody knows").isEqualTo(3);

      List<Task> written = testCluster.all();
      node.settleAll();
      assertThat(testCluster.all()).isEqualTo(written);
      assertThat(written).allMatch(task -> task.state() == TaskState.SUCCESS);
      for (UUID id : ids) {
        assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      }
      assertThat(node.heard.stale()).isEmpty();
      assertThat(node.heard.changes())
          .extracting(TaskChange::task)
          .containsExactlyInAnyOrderElementsOf(ids);
      assertThat(node.loops.unsettled()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_written_before_another_shard_failed_is_written_once_and_told_once(
      TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node((payload, context) -> context.result("done"));
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.runAll();
      node.line.failAfter("apply");
      assertThatThrownBy(node.loops::settle).isInstanceOf(StoreException.class);

      node.settleAll();

      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      assertThat(node.heard.stale()).isEmpty();
      assertThat(node.heard.changes()).extracting(TaskChange::task).containsExactly(id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failure_written_unanswered_uses_up_one_retry(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      RetryPolicy policy = RetryPolicy.fixed(Duration.ofMinutes(1)).maxRetries(3).build();
      ManualNode node = testCluster.node(TestCluster.FAILS);
      UUID id = node.engine.submit(TestCluster.task().retry(policy));
      node.loops.claim();
      node.workers.runAll();
      node.line.loseResponseOf("apply");
      losesItsAnswer(node.loops::settle);
      Task once = testCluster.find(id);
      testCluster.advance(Duration.ofSeconds(1));
      node.loops.settle();

      assertThat(testCluster.find(id)).isEqualTo(once);
      assertThat(once.state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(once.retryCounters().attempt()).isOne();
      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.FAILURE);
      assertThat(node.loops.unsettled()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_submission_repeated_after_a_lost_answer_adds_nothing(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID batch = new UUID(0x7000, 0x8000_0000_0000_1000L);
      UUID id = new UUID(0x7000, 0x8000_0000_0000_2000L);
      TaskDefinition work = TaskDefinition.of(ManualNode.KIND, "\"payload\"");
      Submission given =
          new Submission(batch, List.of(new Submission.NewTaskRow(id, work, Due.now())));
      node.line.loseResponseOf("submit");
      losesItsAnswer(() -> node.line.store().submit(given));
      assertThat(node.claimAndRun()).as("it was stored").isOne();
      Task done = testCluster.find(id);

      testCluster.advance(Duration.ofSeconds(1));
      node.line.store().submit(given);

      assertThat(testCluster.all()).containsExactly(done);
      assertThat(done.state()).isEqualTo(TaskState.SUCCESS);
      assertThat(node.loops.claim()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_asks_again_for_the_answer_to_a_submission(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      node.line.loseResponsesOf("submit", 3);
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();

      assertThat(testCluster.all()).extracting(Task::id).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_that_gets_no_answer_says_that_the_tasks_may_exist(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      node.line.loseResponsesOf("submit", 100);
      assertThatThrownBy(() -> node.engine.submit(TestCluster.task()))
          .hasMessageContaining("may exist")
          .asInstanceOf(type(StoreException.class))
          .matches(StoreException::unknown, "unknown");
      assertThat(testCluster.all()).as("one batch, however often it was sent").hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_unknown_stays_unknown_when_the_store_goes_away(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      node.line.loseResponseOf("submit");
      node.line.after("submit", node.line::disconnect);
      losesItsAnswer(() -> node.engine.submit(TestCluster.task()));
      node.line.disconnect();
      assertThatThrownBy(() -> node.engine.submit(TestCluster.task()))
          .asInstanceOf(type(StoreException.class))
          .matches(problem -> !problem.unknown(), "not done, and known not to be");
      assertThat(testCluster.all()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_row_written_unanswered_when_a_node_joins_is_no_obstacle(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      testCluster.advance(Duration.ofMinutes(1));
      node.line.loseResponseOf("join");
      losesItsAnswer(node.loops::renew);
      assertThat(node.loops.claim()).isZero();

      node.loops.renew();
      assertThat(node.claimAndRun()).isOne();
      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }
}
