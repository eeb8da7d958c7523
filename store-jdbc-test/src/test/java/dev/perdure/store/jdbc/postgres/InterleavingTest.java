// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Two concurrent transactions on the same rows, one of them held open. */
final class InterleavingTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @Nested
  class Claims {

    @Test
    void two_claims_get_different_tasks_without_waiting() throws Exception {
      scenario.store.submit(PostgresScenario.submission(5));
      try (Connection first = scenario.database.begin();
          Connection second = scenario.database.begin()) {
        List<Task> claimed = new ArrayList<>(scenario.claim(first, 2));
        claimed.addAll(scenario.claim(second, 5));
        assertThat(claimed).hasSize(5).extracting(Task::id).doesNotHaveDuplicates();
        second.commit();
        first.commit();
      }
    }

    @Test
    void tasks_of_a_rolled_back_claim_are_available_again() throws Exception {
      scenario.store.submit(PostgresScenario.submission(2));
      try (Connection first = scenario.database.begin()) {
        assertThat(scenario.claim(first, 2)).hasSize(2);
        assertThat(scenario.store.claim(scenario.request(2)).leases()).isEmpty();
        first.rollback();
      }
      assertThat(scenario.store.claim(scenario.request(2)).leases()).hasSize(2);
    }

    @Test
    void a_node_that_is_marked_dead_during_its_claim_gets_nothing() throws Exception {
      scenario.store.submit(PostgresScenario.submission(1));
      FakeClock later = new FakeClock(scenario.clock.instant().plus(MINUTE));
      PostgresNodeRegistry nodes = new PostgresNodeRegistry(scenario.executor(later));
      try (Connection marking = scenario.database.begin()) {
        assertThat(nodes.markDead(marking, 10)).containsExactly(scenario.node);
        Future<Integer> claimed =
            scenario.blocked(() -> scenario.store.claim(scenario.request(1)).leases().size());
        marking.commit();
        assertThat(claimed.get()).isZero();
      }
    }

    @Test
    void marking_a_node_dead_sees_its_latest_claim() throws Exception {
      scenario.store.submit(PostgresScenario.submission(1));
      try (Connection claiming = scenario.database.begin()) {
        List<Task> claimed = scenario.claim(claiming, 1);
        scenario.clock.advance(MINUTE);
        Future<List<UUID>> dead =
            scenario.blocked(() -> scenario.store.nodes().markExpiredDead(10));
        claiming.commit();
        assertThat(dead.get()).containsExactly(scenario.node);
        assertThat(scenario.store.maintenance().orphans(10).tasks()).isEqualTo(claimed);
      }
    }
  }

  @Nested
  class Endings {

    @Test
    void a_success_after_a_cancel_is_refused() throws Exception {
      Task task = scenario.running(1).getFirst();
      try (Connection canceling = scenario.database.begin()) {
        scenario.apply(canceling, scenario.lifecycle.cancel(task));
        Future<List<WriteResult>> settled = settling(task);
        canceling.commit();
        assertThat(settled.get()).containsExactly(WriteResult.refused(TaskState.CANCELED, 1));
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.CANCELED);
    }

    @Test
    void a_success_after_a_rolled_back_cancel_is_applied() throws Exception {
      Task task = scenario.running(1).getFirst();
      try (Connection canceling = scenario.database.begin()) {
        scenario.apply(canceling, scenario.lifecycle.cancel(task));
        Future<List<WriteResult>> settled = settling(task);
        canceling.rollback();
        assertThat(settled.get()).containsExactly(WriteResult.written());
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.SUCCESS);
    }

    @Test
    void a_success_after_a_loss_is_refused() throws Exception {
      Task task = scenario.running(1).getFirst();
      try (Connection losing = scenario.database.begin()) {
        scenario.apply(losing, scenario.lifecycle.workerLost(task));
        Future<List<WriteResult>> settled = settling(task);
        losing.commit();
        assertThat(settled.get()).containsExactly(WriteResult.refused(TaskState.PENDING, 1));
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.LOST);
    }

    @Test
    void a_timeout_after_a_heartbeat_is_refused() throws Exception {
      TaskDefinition withTimeout =
          new TaskDefinition(
              "a", null, "{}", null, null, null, null, MINUTE, null, 0, null, null, null, null,
              null);
      Task task = scenario.running(1, withTimeout).getFirst();
      scenario.clock.advance(MINUTE);
      TaskChange timeout = scenario.lifecycle.timeOut(task, scenario.clock.instant());
      try (Connection writing = scenario.database.begin()) {
        Heartbeat heartbeat = new Heartbeat(task.lease(), null, null, null);
        new PostgresHeartbeatWriter(scenario.executor).writeAll(writing, 0, List.of(heartbeat));
        Future<List<WriteResult>> timedOut =
            scenario.blocked(() -> scenario.store.apply(List.of(timeout)));
        writing.commit();
        assertThat(timedOut.get()).containsExactly(WriteResult.refused(TaskState.RUNNING, 1));
      }
      assertThat(outcomes(task)).isEmpty();
    }

    private Future<List<WriteResult>> settling(Task task) throws Exception {
      return scenario.blocked(() -> scenario.store.apply(List.of(scenario.success(task))));
    }

    private List<AttemptOutcome> outcomes(Task task) {
      return scenario.store.reader().attempts(task.id(), 10).stream()
          .map(attempt -> attempt.details().outcome())
          .toList();
    }
  }

  @Nested
  class Nodes {

    @Test
    void a_node_that_renews_in_time_is_not_marked_dead() throws Exception {
      try (Connection renewing = scenario.database.begin()) {
        PostgresNodeRegistry nodes = new PostgresNodeRegistry(scenario.executor);
        assertThat(nodes.renewRow(renewing, scenario.node, MINUTE)).isTrue();
        scenario.clock.advance(PostgresScenario.VALIDITY);
        Future<List<UUID>> dead =
            scenario.blocked(() -> scenario.store.nodes().markExpiredDead(10));
        renewing.commit();
        assertThat(dead.get()).isEmpty();
      }
      assertThat(scenario.store.nodes().alive()).hasSize(1);
    }

    @Test
    void a_dead_node_cannot_be_renewed() throws Exception {
      FakeClock later = new FakeClock(scenario.clock.instant().plus(MINUTE));
      try (Connection marking = scenario.database.begin()) {
        new PostgresNodeRegistry(scenario.executor(later)).markDead(marking, 10);
        Future<Boolean> renewed =
            scenario.blocked(() -> scenario.store.nodes().renew(scenario.node, MINUTE).isPresent());
        marking.commit();
        assertThat(renewed.get()).isFalse();
      }
    }
  }

  @Nested
  class Submissions {

    @Test
    void a_concurrent_repetition_adds_the_tasks_once() throws Exception {
      Submission submission = PostgresScenario.submission(3);
      try (Connection first = scenario.database.begin()) {
        scenario.store.inTransaction(first).submit(submission);
        Future<Boolean> second = submitting(submission);
        first.commit();
        assertThat(second.get()).isTrue();
      }
      assertThat(scenario.store.reader().count(TaskFilter.all(), 10)).isEqualTo(3);
      assertThat(scenario.store.claim(scenario.request(10)).leases()).hasSize(3);
    }

    @Test
    void the_repetition_is_applied_after_a_rollback() throws Exception {
      Submission submission = PostgresScenario.submission(3);
      try (Connection first = scenario.database.begin()) {
        scenario.store.inTransaction(first).submit(submission);
        Future<Boolean> second = submitting(submission);
        first.rollback();
        assertThat(second.get()).isTrue();
      }
      assertThat(scenario.store.claim(scenario.request(10)).leases()).hasSize(3);
    }

    private Future<Boolean> submitting(Submission submission) throws Exception {
      return scenario.blocked(
          () -> {
            scenario.store.submit(submission);
            return true;
          });
    }
  }

  @Test
  void a_batch_with_a_revived_task_is_not_deleted() throws Exception {
    List<Task> tasks = scenario.running(2);
    scenario.store.apply(tasks.stream().map(scenario.lifecycle::cancel).toList());
    Instant ended = scenario.clock.instant();
    scenario.clock.set(ended.plus(Duration.ofDays(2)));
    TaskChange revive = scenario.lifecycle.revive(scenario.find(tasks.getFirst()));
    try (Connection reviving = scenario.database.begin()) {
      scenario.apply(reviving, revive);
      Future<Integer> deleted =
          scenario.blocked(() -> scenario.store.maintenance().purge(Duration.ofDays(1), 10));
      reviving.commit();
      assertThat(deleted.get()).isZero();
    }
    assertThat(scenario.find(tasks.get(0)).state()).isEqualTo(TaskState.PENDING);
    assertThat(scenario.find(tasks.get(1)).state()).isEqualTo(TaskState.CANCELED);
  }

  @Nested
  class DeadLetters {

    private final TaskLifecycle deliveringLifecycle =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, change) -> List.of(new DeliveryMessage("on_cancel", "{}")),
            shard -> PostgresScenario.id());
    private final PostgresOutbox outbox = new PostgresOutbox(scenario.executor, () -> 0);

    /** Returns a delivery that was given up two days ago. */
    private UUID deadLetter() {
      TaskChange change = deliveringLifecycle.cancel(scenario.running(1).getFirst());
      scenario.store.apply(List.of(change));
      Delivery claimed = outbox.claim(1, MINUTE).deliveries().getFirst();
      Delivery.DeliveryFailure failure = new Delivery.DeliveryFailure("http", 503, null);
      outbox.settle(List.of(DeliveryUpdate.dead(claimed, failure)));
      scenario.clock.set(scenario.clock.instant().plus(Duration.ofDays(2)));
      return claimed.id();
    }

    @Test
    void a_batch_with_a_redelivery_is_not_deleted() throws Exception {
      UUID id = deadLetter();
      try (Connection sending = scenario.database.begin()) {
        assertThat(outbox.redeliver(sending, id, null, Duration.ZERO)).isTrue();
        Future<Integer> deleted =
            scenario.blocked(() -> scenario.store.maintenance().purge(Duration.ofDays(1), 10));
        sending.commit();
        assertThat(deleted.get()).isZero();
      }
      assertThat(outbox.claim(1, MINUTE).deliveries()).hasSize(1);
    }

    @Test
    void a_delivery_of_a_batch_marked_for_deletion_cannot_be_redelivered() throws Exception {
      UUID id = deadLetter();
      PostgresMaintenance maintenance =
          new PostgresMaintenance(scenario.executor, scenario.rowMapper);
      try (Connection checking = scenario.database.begin()) {
        assertThat(maintenance.markExpired(checking, 0, Duration.ofDays(1), 10)).isOne();
        Future<Boolean> redelivered = scenario.blocked(() -> outbox.redeliver(id));
        checking.commit();
        assertThat(redelivered.get()).isFalse();
      }
    }
  }
}
