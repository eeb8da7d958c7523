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

/** Two transactions at once, one held open while the other comes to the same rows. */
final class InterleavingTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final PostgresScenario postgresScenario = new PostgresScenario();

  @AfterEach
  void close() {
    postgresScenario.close();
  }

  @Nested
  class Claims {

    @Test
    void two_take_different_tasks_and_neither_waits() throws Exception {
      postgresScenario.store.submit(PostgresScenario.submission(5));
      try (Connection first = postgresScenario.database.begin();
          Connection second = postgresScenario.database.begin()) {
        List<Task> taken = new ArrayList<>(postgresScenario.claim(first, 2));
        taken.addAll(postgresScenario.claim(second, 5));
        assertThat(taken).hasSize(5).extracting(Task::id).doesNotHaveDuplicates();
        second.commit();
        first.commit();
      }
    }

    @Test
    void what_a_claim_gave_up_is_there_for_the_next() throws Exception {
      postgresScenario.store.submit(PostgresScenario.submission(2));
      try (Connection first = postgresScenario.database.begin()) {
        assertThat(postgresScenario.claim(first, 2)).hasSize(2);
        assertThat(postgresScenario.store.claim(postgresScenario.request(2)).leases()).isEmpty();
        first.rollback();
      }
      assertThat(postgresScenario.store.claim(postgresScenario.request(2)).leases()).hasSize(2);
    }

    @Test
    void a_node_that_is_marked_dead_meanwhile_gets_nothing() throws Exception {
      postgresScenario.store.submit(PostgresScenario.submission(1));
      FakeClock later = new FakeClock(postgresScenario.clock.instant().plus(MINUTE));
      PostgresNodeRegistry nodes = new PostgresNodeRegistry(postgresScenario.session(later));
      try (Connection burying = postgresScenario.database.begin()) {
        assertThat(nodes.markDead(burying, 10)).containsExactly(postgresScenario.node);
        Future<Integer> claimed =
            postgresScenario.blocked(
                () -> postgresScenario.store.claim(postgresScenario.request(1)).leases().size());
        burying.commit();
        assertThat(claimed.get()).isZero();
      }
    }

    @Test
    void whoever_marks_a_node_dead_sees_what_it_has_just_claimed() throws Exception {
      postgresScenario.store.submit(PostgresScenario.submission(1));
      try (Connection claiming = postgresScenario.database.begin()) {
        List<Task> claimed = postgresScenario.claim(claiming, 1);
        postgresScenario.clock.advance(MINUTE);
        Future<List<UUID>> buried =
            postgresScenario.blocked(() -> postgresScenario.store.nodes().markExpiredDead(10));
        claiming.commit();
        assertThat(buried.get()).containsExactly(postgresScenario.node);
        assertThat(postgresScenario.store.maintenance().orphans(10).tasks()).isEqualTo(claimed);
      }
    }
  }

  @Nested
  class Endings {

    @Test
    void a_success_after_a_cancel_is_refused() throws Exception {
      Task task = postgresScenario.running(1).getFirst();
      try (Connection canceling = postgresScenario.database.begin()) {
        postgresScenario.apply(canceling, postgresScenario.lifecycle.cancel(task));
        Future<List<WriteResult>> settled = settling(task);
        canceling.commit();
        assertThat(settled.get()).containsExactly(WriteResult.refused(TaskState.CANCELED, 1));
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.CANCELED);
    }

    @Test
    void a_success_after_a_cancel_that_was_undone_counts() throws Exception {
      Task task = postgresScenario.running(1).getFirst();
      try (Connection canceling = postgresScenario.database.begin()) {
        postgresScenario.apply(canceling, postgresScenario.lifecycle.cancel(task));
        Future<List<WriteResult>> settled = settling(task);
        canceling.rollback();
        assertThat(settled.get()).containsExactly(WriteResult.written());
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.SUCCESS);
    }

    @Test
    void a_success_after_the_loss_is_refused() throws Exception {
      Task task = postgresScenario.running(1).getFirst();
      try (Connection losing = postgresScenario.database.begin()) {
        postgresScenario.apply(losing, postgresScenario.lifecycle.workerLost(task));
        Future<List<WriteResult>> settled = settling(task);
        losing.commit();
        assertThat(settled.get()).containsExactly(WriteResult.refused(TaskState.PENDING, 1));
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.LOST);
    }

    @Test
    void a_timeout_after_a_sign_of_life_is_refused() throws Exception {
      TaskDefinition silent =
          new TaskDefinition(
              "a", null, "{}", null, null, null, MINUTE, null, 0, null, null, null, null, null);
      Task task = postgresScenario.running(1, silent).getFirst();
      postgresScenario.clock.advance(MINUTE);
      TaskChange timeout =
          postgresScenario.lifecycle.timeOut(task, postgresScenario.clock.instant());
      try (Connection hearing = postgresScenario.database.begin()) {
        Heartbeat sign = new Heartbeat(task.lease(), null, null, null);
        new PostgresHeartbeatWriter(postgresScenario.session).writeAll(hearing, 0, List.of(sign));
        Future<List<WriteResult>> timedOut =
            postgresScenario.blocked(() -> postgresScenario.store.apply(List.of(timeout)));
        hearing.commit();
        assertThat(timedOut.get()).containsExactly(WriteResult.refused(TaskState.RUNNING, 1));
      }
      assertThat(outcomes(task)).isEmpty();
    }

    private Future<List<WriteResult>> settling(Task task) throws Exception {
      return postgresScenario.blocked(
          () -> postgresScenario.store.apply(List.of(postgresScenario.success(task))));
    }

    private List<AttemptOutcome> outcomes(Task task) {
      return postgresScenario.store.reader().attempts(task.id(), 10).stream()
          .map(attempt -> attempt.details().outcome())
          .toList();
    }
  }

  @Nested
  class Nodes {

    @Test
    void one_that_is_renewed_in_time_is_not_marked_dead() throws Exception {
      try (Connection renewing = postgresScenario.database.begin()) {
        PostgresNodeRegistry nodes = new PostgresNodeRegistry(postgresScenario.session);
        assertThat(nodes.renewed(renewing, postgresScenario.node, MINUTE)).isTrue();
        postgresScenario.clock.advance(PostgresScenario.VALIDITY);
        Future<List<UUID>> buried =
            postgresScenario.blocked(() -> postgresScenario.store.nodes().markExpiredDead(10));
        renewing.commit();
        assertThat(buried.get()).isEmpty();
      }
      assertThat(postgresScenario.store.nodes().alive()).hasSize(1);
    }

    @Test
    void one_that_is_marked_dead_cannot_be_renewed() throws Exception {
      FakeClock later = new FakeClock(postgresScenario.clock.instant().plus(MINUTE));
      try (Connection burying = postgresScenario.database.begin()) {
        new PostgresNodeRegistry(postgresScenario.session(later)).markDead(burying, 10);
        Future<Boolean> renewed =
            postgresScenario.blocked(
                () ->
                    postgresScenario
                        .store
                        .nodes()
                        .renew(postgresScenario.node, MINUTE)
                        .isPresent());
        burying.commit();
        assertThat(renewed.get()).isFalse();
      }
    }
  }

  @Nested
  class Submissions {

    @Test
    void the_same_one_twice_adds_its_tasks_once() throws Exception {
      Submission submission = PostgresScenario.submission(3);
      try (Connection first = postgresScenario.database.begin()) {
        postgresScenario.store.inTransaction(first).submit(submission);
        Future<Boolean> second = submitting(submission);
        first.commit();
        assertThat(second.get()).isTrue();
      }
      assertThat(postgresScenario.store.reader().count(TaskFilter.all(), 10)).isEqualTo(3);
      assertThat(postgresScenario.store.claim(postgresScenario.request(10)).leases()).hasSize(3);
    }

    @Test
    void the_second_counts_when_the_first_is_undone() throws Exception {
      Submission submission = PostgresScenario.submission(3);
      try (Connection first = postgresScenario.database.begin()) {
        postgresScenario.store.inTransaction(first).submit(submission);
        Future<Boolean> second = submitting(submission);
        first.rollback();
        assertThat(second.get()).isTrue();
      }
      assertThat(postgresScenario.store.claim(postgresScenario.request(10)).leases()).hasSize(3);
    }

    private Future<Boolean> submitting(Submission submission) throws Exception {
      return postgresScenario.blocked(
          () -> {
            postgresScenario.store.submit(submission);
            return true;
          });
    }
  }

  @Test
  void a_batch_in_which_a_task_is_revived_is_not_purged() throws Exception {
    List<Task> tasks = postgresScenario.running(2);
    postgresScenario.store.apply(tasks.stream().map(postgresScenario.lifecycle::cancel).toList());
    Instant ended = postgresScenario.clock.instant();
    postgresScenario.clock.set(ended.plus(Duration.ofDays(2)));
    TaskChange revive = postgresScenario.lifecycle.revive(postgresScenario.find(tasks.getFirst()));
    try (Connection reviving = postgresScenario.database.begin()) {
      postgresScenario.apply(reviving, revive);
      Future<Integer> purged =
          postgresScenario.blocked(
              () -> postgresScenario.store.maintenance().purge(Duration.ofDays(1), 10));
      reviving.commit();
      assertThat(purged.get()).isZero();
    }
    assertThat(postgresScenario.find(tasks.get(0)).state()).isEqualTo(TaskState.PENDING);
    assertThat(postgresScenario.find(tasks.get(1)).state()).isEqualTo(TaskState.CANCELED);
  }

  @Nested
  class DeadLetters {

    private final TaskLifecycle telling =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, taskChange) -> List.of(new DeliveryMessage("on_cancel", "{}")),
            shard -> PostgresScenario.id());
    private final PostgresOutbox outbox = new PostgresOutbox(postgresScenario.session, () -> 0);

    /** Given up two days ago. */
    private UUID deadLetter() {
      TaskChange taskChange = telling.cancel(postgresScenario.running(1).getFirst());
      postgresScenario.store.apply(List.of(taskChange));
      Delivery taken = outbox.claim(1, MINUTE).deliveries().getFirst();
      Delivery.DeliveryFailure deliveryFailure = new Delivery.DeliveryFailure("http", 503, null);
      outbox.settle(List.of(DeliveryUpdate.dead(taken, deliveryFailure)));
      postgresScenario.clock.set(postgresScenario.clock.instant().plus(Duration.ofDays(2)));
      return taken.id();
    }

    @Test
    void a_batch_of_which_something_is_sent_again_is_not_purged() throws Exception {
      UUID id = deadLetter();
      try (Connection sending = postgresScenario.database.begin()) {
        assertThat(outbox.redeliver(sending, id)).isTrue();
        Future<Integer> purged =
            postgresScenario.blocked(
                () -> postgresScenario.store.maintenance().purge(Duration.ofDays(1), 10));
        sending.commit();
        assertThat(purged.get()).isZero();
      }
      assertThat(outbox.claim(1, MINUTE).deliveries()).hasSize(1);
    }

    @Test
    void of_a_batch_that_was_found_to_be_old_nothing_is_sent_again() throws Exception {
      UUID id = deadLetter();
      PostgresMaintenance sweeps =
          new PostgresMaintenance(postgresScenario.session, postgresScenario.rows);
      try (Connection looking = postgresScenario.database.begin()) {
        assertThat(sweeps.markExpired(looking, 0, Duration.ofDays(1), 10)).isOne();
        Future<Boolean> again = postgresScenario.blocked(() -> outbox.redeliver(id));
        looking.commit();
        assertThat(again.get()).isFalse();
      }
    }
  }
}
