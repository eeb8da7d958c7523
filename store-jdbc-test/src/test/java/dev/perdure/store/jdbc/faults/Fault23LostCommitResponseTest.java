// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.DueTime;
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

/**
 * Fault: a claim was committed but its response was lost, and the task was claimed forever without
 * running.
 */
class Fault23LostCommitResponseTest {

  private static void assertUnknown(ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(StoreException.class))
        .matches(StoreException::unknown, "unknown");
  }

  @ParameterizedTest
  @EnumSource
  void tasks_of_a_claim_with_a_lost_response_are_handed_back_at_the_next_renewal(
      TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode node = cluster.node((payload, context) -> ran.add(context.task().id()));
      ManualNode other = cluster.node(TestCluster.SUCCEEDS);
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();
      node.faults.loseResponseOf("claim");
      assertUnknown(node.loops::claim);
      assertThat(cluster.count(TaskState.RUNNING)).isEqualTo(3);
      assertThat(node.loops.unsettled()).isZero();
      assertThat(other.loops.claim()).isZero();

      cluster.advance(Duration.ofSeconds(5));
      node.loops.renew();
      assertThat(node.loops.reconcile()).isEqualTo(3);
      assertThat(cluster.count(TaskState.PENDING)).isEqualTo(3);
      assertThat(node.listener.changes())
          .extracting(TaskChange::task)
          .containsExactlyInAnyOrderElementsOf(ids);
      assertThat(node.claimAndRun()).isEqualTo(3);

      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
      for (UUID id : ids) {
        assertThat(cluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
        assertThat(cluster.find(id).retryCounters().losses()).isZero();
        assertThat(cluster.outcomes(id))
            .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_whose_response_is_only_late_is_not_handed_back(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      node.faults.after(
          "claim",
          () -> {
            node.loops.renew();
            assertThat(node.loops.reconcile()).isZero();
          });
      assertThat(node.claimAndRun()).isOne();

      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_leaving_node_hands_back_tasks_of_a_claim_with_a_lost_response(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID before = node.engine.submit(TestCluster.task());
      node.faults.loseResponseOf("claim");
      assertUnknown(node.loops::claim);
      cluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      UUID now = node.engine.submit(TestCluster.task());
      node.faults.loseResponseOf("claim");
      assertUnknown(node.loops::claim);

      node.loops.leave();
      assertThat(cluster.store().nodes().alive()).isEmpty();
      for (UUID id : List.of(before, now)) {
        assertThat(cluster.find(id).state()).isEqualTo(TaskState.PENDING);
        assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_renewal_is_one_call_even_if_many_tasks_are_handed_back(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(250, TestCluster.SUCCEEDS);
      node.engine.submitAll(TestCluster.tasks(250, TestCluster.task()));
      node.faults.loseResponseOf("claim");
      assertUnknown(node.loops::claim);

      AtomicInteger calls = new AtomicInteger();
      node.faults.around(calls::incrementAndGet);
      cluster.advance(Duration.ofSeconds(5));
      node.loops.renew();
      node.loops.renew();
      node.faults.around(() -> {});
      assertThat(calls).as("before and after each call").hasValue(4);
      assertThat(List.of(node.loops.reconcile(), node.loops.reconcile(), node.loops.reconcile()))
          .containsExactly(100, 100, 50);
      assertThat(cluster.count(TaskState.PENDING)).isEqualTo(250);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failure_to_read_the_leases_of_a_former_id_does_not_block_the_current_one(
      TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = cluster.node(slow);
      UUID old = node.engine.submit(TestCluster.task());
      node.faults.loseResponseOf("claim");
      assertUnknown(node.loops::claim);
      cluster.advance(Duration.ofMinutes(1));
      node.loops.renew();
      node.faults.refuse("leasesOf", text -> true);

      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.startAll();
      Task running = slow.awaitStarted().task();
      cluster.store().apply(List.of(new TaskLifecycle(LossLimit.DEFAULT).cancel(running)));
      node.loops.renew();
      node.workers.awaitAll();
      assertThat(slow.interrupts()).as("the node no longer owns it").isOne();
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.CANCELED);
      assertThat(cluster.find(old).state()).isEqualTo(TaskState.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_with_a_lost_response_is_written_and_reported_once(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node((payload, context) -> context.result("done"));
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();
      node.loops.claim();
      node.workers.runAll();
      node.faults.loseResponseOf("apply");
      assertUnknown(node.loops::settle);
      assertThat(node.loops.unsettled())
          .as("slots in use while the result is unknown")
          .isEqualTo(3);

      List<Task> written = cluster.all();
      node.settleAll();
      assertThat(cluster.all()).isEqualTo(written);
      assertThat(written).allMatch(task -> task.state() == TaskState.SUCCESS);
      for (UUID id : ids) {
        assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      }
      assertThat(node.listener.stale()).isEmpty();
      assertThat(node.listener.changes())
          .extracting(TaskChange::task)
          .containsExactlyInAnyOrderElementsOf(ids);
      assertThat(node.loops.unsettled()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_written_before_another_shard_failed_is_written_and_reported_once(
      TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node((payload, context) -> context.result("done"));
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.runAll();
      node.faults.failAfter("apply");
      assertThatThrownBy(node.loops::settle).isInstanceOf(StoreException.class);

      node.settleAll();

      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      assertThat(node.listener.stale()).isEmpty();
      assertThat(node.listener.changes()).extracting(TaskChange::task).containsExactly(id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failure_with_a_lost_response_uses_one_retry(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      RetryPolicy policy = RetryPolicy.fixed(Duration.ofMinutes(1)).maxRetries(3).build();
      ManualNode node = cluster.node(TestCluster.FAILS);
      UUID id = node.engine.submit(TestCluster.task().retry(policy));
      node.loops.claim();
      node.workers.runAll();
      node.faults.loseResponseOf("apply");
      assertUnknown(node.loops::settle);
      Task once = cluster.find(id);
      cluster.advance(Duration.ofSeconds(1));
      node.loops.settle();

      assertThat(cluster.find(id)).isEqualTo(once);
      assertThat(once.state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(once.retryCounters().attempt()).isOne();
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.FAILURE);
      assertThat(node.loops.unsettled()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void repeating_a_submission_after_a_lost_response_adds_nothing(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID batch = new UUID(0x7000, 0x8000_0000_0000_1000L);
      UUID id = new UUID(0x7000, 0x8000_0000_0000_2000L);
      TaskDefinition work = TaskDefinition.of(ManualNode.KIND, "\"payload\"");
      Submission submission =
          new Submission(batch, List.of(new Submission.NewTaskRow(id, work, DueTime.now())));
      node.faults.loseResponseOf("submit");
      assertUnknown(() -> node.faults.store().submit(submission));
      assertThat(node.claimAndRun()).as("it was stored").isOne();
      Task done = cluster.find(id);

      cluster.advance(Duration.ofSeconds(1));
      node.faults.store().submit(submission);

      assertThat(cluster.all()).containsExactly(done);
      assertThat(done.state()).isEqualTo(TaskState.SUCCESS);
      assertThat(node.loops.claim()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_engine_repeats_a_submission_with_a_lost_response(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.faults.loseResponsesOf("submit", 3);
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(3, TestCluster.task())).ids();

      assertThat(cluster.all()).extracting(Task::id).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_engine_reports_that_the_tasks_may_exist(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.faults.loseResponsesOf("submit", 100);
      assertThatThrownBy(() -> node.engine.submit(TestCluster.task()))
          .hasMessageContaining("may exist")
          .asInstanceOf(type(StoreException.class))
          .matches(StoreException::unknown, "unknown");
      assertThat(cluster.all()).as("one batch, although it was sent several times").hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_unknown_result_stays_unknown_if_the_store_becomes_unavailable(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.faults.loseResponseOf("submit");
      node.faults.after("submit", node.faults::disconnect);
      assertUnknown(() -> node.engine.submit(TestCluster.task()));
      node.faults.disconnect();
      assertThatThrownBy(() -> node.engine.submit(TestCluster.task()))
          .asInstanceOf(type(StoreException.class))
          .matches(problem -> !problem.unknown(), "not applied, and known not to be");
      assertThat(cluster.all()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_whose_join_response_was_lost_can_continue(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      cluster.advance(Duration.ofMinutes(1));
      node.faults.loseResponseOf("join");
      assertUnknown(node.loops::renew);
      assertThat(node.loops.claim()).isZero();

      node.loops.renew();
      assertThat(node.claimAndRun()).isOne();
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }
}
