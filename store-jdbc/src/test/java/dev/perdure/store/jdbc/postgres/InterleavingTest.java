// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.Sending;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Announcement;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.Wiring;
import dev.perdure.store.testkit.FakeClock;
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

  private final Scene scene = new Scene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Nested
  class Claims {

    @Test
    void two_take_different_tasks_and_neither_waits() throws Exception {
      scene.store.submit(Scene.submission(5));
      try (Connection first = scene.database.begin();
          Connection second = scene.database.begin()) {
        List<Task> taken = new ArrayList<>(scene.claim(first, 2));
        taken.addAll(scene.claim(second, 5));
        assertThat(taken).hasSize(5).extracting(Task::id).doesNotHaveDuplicates();
        second.commit();
        first.commit();
      }
    }

    @Test
    void what_a_claim_gave_up_is_there_for_the_next() throws Exception {
      scene.store.submit(Scene.submission(2));
      try (Connection first = scene.database.begin()) {
        assertThat(scene.claim(first, 2)).hasSize(2);
        assertThat(scene.store.claim(scene.request(2)).leases()).isEmpty();
        first.rollback();
      }
      assertThat(scene.store.claim(scene.request(2)).leases()).hasSize(2);
    }

    @Test
    void a_node_that_is_marked_dead_meanwhile_gets_nothing() throws Exception {
      scene.store.submit(Scene.submission(1));
      FakeClock later = new FakeClock(scene.clock.instant().plus(MINUTE));
      PostgresNodes nodes = new PostgresNodes(scene.session(later));
      try (Connection burying = scene.database.begin()) {
        assertThat(nodes.bury(burying, 10)).containsExactly(scene.node);
        Future<Integer> claimed =
            scene.blocked(() -> scene.store.claim(scene.request(1)).leases().size());
        burying.commit();
        assertThat(claimed.get()).isZero();
      }
    }

    @Test
    void whoever_marks_a_node_dead_sees_what_it_has_just_claimed() throws Exception {
      scene.store.submit(Scene.submission(1));
      try (Connection claiming = scene.database.begin()) {
        List<Task> claimed = scene.claim(claiming, 1);
        scene.clock.advance(MINUTE);
        Future<List<UUID>> buried = scene.blocked(() -> scene.store.nodes().buryLapsed(10));
        claiming.commit();
        assertThat(buried.get()).containsExactly(scene.node);
        assertThat(scene.store.sweeps().orphans(10).tasks()).isEqualTo(claimed);
      }
    }
  }

  @Nested
  class Endings {

    @Test
    void a_success_after_a_cancel_is_refused() throws Exception {
      Task task = scene.running(1).getFirst();
      try (Connection canceling = scene.database.begin()) {
        scene.apply(canceling, scene.lifecycle.cancel(task));
        Future<List<Verdict>> settled = settling(task);
        canceling.commit();
        assertThat(settled.get()).containsExactly(Verdict.refused(TaskState.CANCELED, 1));
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.CANCELED);
    }

    @Test
    void a_success_after_a_cancel_that_was_undone_counts() throws Exception {
      Task task = scene.running(1).getFirst();
      try (Connection canceling = scene.database.begin()) {
        scene.apply(canceling, scene.lifecycle.cancel(task));
        Future<List<Verdict>> settled = settling(task);
        canceling.rollback();
        assertThat(settled.get()).containsExactly(Verdict.done());
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.SUCCESS);
    }

    @Test
    void a_success_after_the_loss_is_refused() throws Exception {
      Task task = scene.running(1).getFirst();
      try (Connection losing = scene.database.begin()) {
        scene.apply(losing, scene.lifecycle.lose(task));
        Future<List<Verdict>> settled = settling(task);
        losing.commit();
        assertThat(settled.get()).containsExactly(Verdict.refused(TaskState.PENDING, 1));
      }
      assertThat(outcomes(task)).containsExactly(AttemptOutcome.LOST);
    }

    @Test
    void a_timeout_after_a_sign_of_life_is_refused() throws Exception {
      Definition silent =
          new Definition(
              "a", null, "{}", null, null, null, MINUTE, null, 0, null, null, Wiring.NONE);
      Task task = scene.running(1, silent).getFirst();
      scene.clock.advance(MINUTE);
      Change timeout = scene.lifecycle.timeOut(task, scene.clock.instant());
      try (Connection hearing = scene.database.begin()) {
        SignOfLife sign = new SignOfLife(task.lease(), null, null, null);
        new Hearing(scene.session).hear(hearing, 0, List.of(sign));
        Future<List<Verdict>> timedOut = scene.blocked(() -> scene.store.apply(List.of(timeout)));
        hearing.commit();
        assertThat(timedOut.get()).containsExactly(Verdict.refused(TaskState.RUNNING, 1));
      }
      assertThat(outcomes(task)).isEmpty();
    }

    private Future<List<Verdict>> settling(Task task) throws Exception {
      return scene.blocked(() -> scene.store.apply(List.of(scene.success(task))));
    }

    private List<AttemptOutcome> outcomes(Task task) {
      return scene.store.reader().attempts(task.id(), 10).stream()
          .map(attempt -> attempt.note().outcome())
          .toList();
    }
  }

  @Nested
  class Nodes {

    @Test
    void one_that_is_renewed_in_time_is_not_marked_dead() throws Exception {
      try (Connection renewing = scene.database.begin()) {
        PostgresNodes nodes = new PostgresNodes(scene.session);
        assertThat(nodes.renewed(renewing, scene.node, MINUTE)).isTrue();
        scene.clock.advance(Scene.VALIDITY);
        Future<List<UUID>> buried = scene.blocked(() -> scene.store.nodes().buryLapsed(10));
        renewing.commit();
        assertThat(buried.get()).isEmpty();
      }
      assertThat(scene.store.nodes().alive()).hasSize(1);
    }

    @Test
    void one_that_is_marked_dead_cannot_be_renewed() throws Exception {
      FakeClock later = new FakeClock(scene.clock.instant().plus(MINUTE));
      try (Connection burying = scene.database.begin()) {
        new PostgresNodes(scene.session(later)).bury(burying, 10);
        Future<Boolean> renewed =
            scene.blocked(() -> scene.store.nodes().renew(scene.node, MINUTE).isPresent());
        burying.commit();
        assertThat(renewed.get()).isFalse();
      }
    }
  }

  @Nested
  class Submissions {

    @Test
    void the_same_one_twice_adds_its_tasks_once() throws Exception {
      Submission submission = Scene.submission(3);
      try (Connection first = scene.database.begin()) {
        scene.store.on(first).submit(submission);
        Future<Boolean> second = submitting(submission);
        first.commit();
        assertThat(second.get()).isTrue();
      }
      assertThat(scene.store.reader().count(TaskFilter.all(), 10)).isEqualTo(3);
      assertThat(scene.store.claim(scene.request(10)).leases()).hasSize(3);
    }

    @Test
    void the_second_counts_when_the_first_is_undone() throws Exception {
      Submission submission = Scene.submission(3);
      try (Connection first = scene.database.begin()) {
        scene.store.on(first).submit(submission);
        Future<Boolean> second = submitting(submission);
        first.rollback();
        assertThat(second.get()).isTrue();
      }
      assertThat(scene.store.claim(scene.request(10)).leases()).hasSize(3);
    }

    private Future<Boolean> submitting(Submission submission) throws Exception {
      return scene.blocked(
          () -> {
            scene.store.submit(submission);
            return true;
          });
    }
  }

  @Test
  void a_batch_in_which_a_task_is_revived_is_not_purged() throws Exception {
    List<Task> tasks = scene.running(2);
    scene.store.apply(tasks.stream().map(scene.lifecycle::cancel).toList());
    Instant ended = scene.clock.instant();
    scene.clock.set(ended.plus(Duration.ofDays(2)));
    Change revive = scene.lifecycle.revive(scene.find(tasks.getFirst()));
    try (Connection reviving = scene.database.begin()) {
      scene.apply(reviving, revive);
      Future<Integer> purged =
          scene.blocked(() -> scene.store.sweeps().purge(Duration.ofDays(1), 10));
      reviving.commit();
      assertThat(purged.get()).isZero();
    }
    assertThat(scene.find(tasks.get(0)).state()).isEqualTo(TaskState.PENDING);
    assertThat(scene.find(tasks.get(1)).state()).isEqualTo(TaskState.CANCELED);
  }

  @Nested
  class DeadLetters {

    private final Lifecycle telling =
        new Lifecycle(
            LossLimit.DEFAULT,
            (before, change) -> List.of(new Announcement("on_cancel", "{}")),
            shard -> Scene.id());
    private final PostgresOutbox outbox = new PostgresOutbox(scene.session, () -> 0);

    /** Given up two days ago. */
    private UUID deadLetter() {
      Change change = telling.cancel(scene.running(1).getFirst());
      scene.store.apply(List.of(change));
      Delivery taken = outbox.claim(1, MINUTE).deliveries().getFirst();
      Delivery.Miss miss = new Delivery.Miss("http", 503, null);
      outbox.settle(List.of(new Sending(taken.id(), taken.epoch(), new Sending.GivenUp(miss))));
      scene.clock.set(scene.clock.instant().plus(Duration.ofDays(2)));
      return taken.id();
    }

    @Test
    void a_batch_of_which_something_is_sent_again_is_not_purged() throws Exception {
      UUID id = deadLetter();
      try (Connection sending = scene.database.begin()) {
        assertThat(outbox.redeliver(sending, id)).isTrue();
        Future<Integer> purged =
            scene.blocked(() -> scene.store.sweeps().purge(Duration.ofDays(1), 10));
        sending.commit();
        assertThat(purged.get()).isZero();
      }
      assertThat(outbox.claim(1, MINUTE).deliveries()).hasSize(1);
    }

    @Test
    void of_a_batch_that_was_found_to_be_old_nothing_is_sent_again() throws Exception {
      UUID id = deadLetter();
      PostgresSweeps sweeps = new PostgresSweeps(scene.session, scene.rows);
      try (Connection looking = scene.database.begin()) {
        assertThat(sweeps.look(looking, 0, Duration.ofDays(1), 10)).isOne();
        Future<Boolean> again = scene.blocked(() -> outbox.redeliver(id));
        looking.commit();
        assertThat(again.get()).isFalse();
      }
    }
  }
}
