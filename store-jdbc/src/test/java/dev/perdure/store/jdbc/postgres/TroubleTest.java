// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What passes is tried again inside; what was lost on the way is not guessed. */
final class TroubleTest {

  private final Scene scene = new Scene();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03"})
  void a_collision_is_tried_again(String state) throws SQLException {
    Task task = scene.running(1).getFirst();
    failFirstUpdate(state);

    assertThat(scene.store.apply(List.of(scene.success(task)))).containsExactly(Verdict.done());
    assertThat(updates()).isEqualTo(2);
  }

  @Test
  void what_would_fail_again_is_not_tried_again() throws SQLException {
    Task task = scene.running(1).getFirst();
    failFirstUpdate("23514");

    assertThatThrownBy(() -> scene.store.apply(List.of(scene.success(task))))
        .asInstanceOf(type(StoreException.class))
        .extracting(StoreException::unknown)
        .isEqualTo(false);
    assertThat(updates()).isEqualTo(1);
    assertThat(scene.find(task)).isEqualTo(task);
  }

  /** A sequence does not take part in the rollback: it counts the tries. */
  private void failFirstUpdate(String state) throws SQLException {
    scene.execute(
        "CREATE SEQUENCE updates",
        """
        CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('updates') = 1 THEN
            RAISE EXCEPTION 'planted' USING ERRCODE = '%s';
          END IF;
          RETURN NEW;
        END $$
        """
            .formatted(state),
        "CREATE TRIGGER planted BEFORE UPDATE ON perdure_task_state "
            + "FOR EACH ROW EXECUTE FUNCTION fail_first()");
  }

  private long updates() throws SQLException {
    try (Connection connection = scene.database.connect()) {
      return Scene.number(connection, "SELECT last_value FROM updates");
    }
  }

  @Test
  void a_change_whose_answer_was_lost_counts_as_written() {
    Change change = scene.success(scene.running(1).getFirst());
    Applying applying = new Applying(scene.session, scene.rows);
    AtomicInteger tries = new AtomicInteger();

    List<Verdict> verdicts =
        scene.session.repeatedly(
            "apply",
            (connection, unsure) -> {
              List<Verdict> found = applying.apply(connection, 0, List.of(change), unsure);
              loseAnswer(tries.incrementAndGet());
              return found;
            });

    assertThat(tries).hasValue(2);
    assertThat(verdicts).containsExactly(Verdict.done());
    assertThat(scene.store.reader().attempts(change.task(), 10)).hasSize(1);
  }

  @Test
  void an_end_that_somebody_else_wrote_is_not_taken_for_the_one_whose_answer_was_lost() {
    Task task = scene.running(1).getFirst();
    Change handBack = scene.lifecycle.settle(task, new Outcome.HandedBack(), scene.clock.instant());
    Applying applying = new Applying(scene.session, scene.rows);
    AtomicInteger tries = new AtomicInteger();

    List<Verdict> verdicts =
        scene.session.repeatedly(
            "apply",
            (connection, unsure) -> {
              if (tries.get() == 0) {
                scene.store.apply(List.of(scene.lifecycle.lose(task)));
              }
              loseAnswer(tries.incrementAndGet());
              return applying.apply(connection, 0, List.of(handBack), unsure);
            });

    assertThat(verdicts).containsExactly(Verdict.refused(TaskState.PENDING, 1));
  }

  @Test
  void a_refused_change_stays_refused_when_no_answer_was_lost() {
    Change change = scene.success(scene.running(1).getFirst());
    scene.store.apply(List.of(change));

    assertThat(scene.store.apply(List.of(change)))
        .containsExactly(Verdict.refused(TaskState.SUCCESS, 1));
  }

  @Test
  void a_claim_whose_answer_was_lost_is_not_repeated() {
    scene.store.submit(Scene.submission(2));
    LosingDataSource losing = new LosingDataSource(scene.dataSource(), "FOR UPDATE SKIP LOCKED");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(scene.clock).open()) {
      losing.loseNext();
      assertThatThrownBy(() -> store.claim(scene.request(1)))
          .asInstanceOf(type(StoreException.class))
          .extracting(StoreException::unknown)
          .isEqualTo(true);
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(scene.store.nodes().renew(scene.node, Scene.VALIDITY).orElseThrow()).hasSize(1);
  }

  @Test
  void a_change_whose_answer_was_lost_is_written_once_and_told() {
    Change change = scene.success(scene.running(1).getFirst());
    LosingDataSource losing =
        new LosingDataSource(scene.dataSource(), "INSERT INTO perdure_attempt");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(scene.clock).open()) {
      losing.loseNext();
      assertThat(store.apply(List.of(change))).containsExactly(Verdict.done());
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(scene.store.reader().attempts(change.task(), 10)).hasSize(1);
  }

  @Test
  void what_was_added_is_told_although_the_look_at_what_was_not_fails() {
    List<Task> tasks = scene.running(2);
    Task ended = tasks.getLast();
    scene.store.apply(List.of(scene.success(ended)));
    LosingDataSource losing = new LosingDataSource(scene.dataSource(), "SELECT s.id, s.state");
    List<Addition> both =
        tasks.stream().map(task -> new Addition(task.lease(), 1, 0, null)).toList();

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(scene.clock).open()) {
      losing.loseNext();
      assertThat(store.figures().add(both))
          .containsExactly(Verdict.done(), Verdict.refused(TaskState.SUCCESS, 1));
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(scene.find(tasks.getFirst()).progress().success()).isOne();
  }

  private static void loseAnswer(int attempt) throws SQLException {
    if (attempt == 1) {
      throw new SQLException("the answer was lost", "08006");
    }
  }

  @Test
  void of_two_changes_of_one_task_the_first_counts() {
    Task task = scene.running(1).getFirst();
    List<Change> both = List.of(scene.lifecycle.cancel(task), scene.success(task));

    assertThat(scene.store.apply(both))
        .containsExactly(Verdict.done(), Verdict.refused(TaskState.CANCELED, 1));
    assertThat(scene.store.reader().attempts(task.id(), 10)).hasSize(1);
  }

  @Test
  void batches_that_overlap_in_opposite_order_both_end() throws Exception {
    List<Task> tasks = scene.running(200);
    for (int round = 0; round < 20; round++) {
      List<Change> pauses = tasks.stream().map(scene.lifecycle::pause).toList();
      List<Change> resumes = new ArrayList<>(tasks.stream().map(scene.lifecycle::resume).toList());
      Collections.reverse(resumes);
      try (ExecutorService two = Executors.newFixedThreadPool(2)) {
        Future<List<Verdict>> first = two.submit(() -> scene.store.apply(pauses));
        Future<List<Verdict>> second = two.submit(() -> scene.store.apply(resumes));
        assertThat(first.get()).hasSize(200).containsOnly(Verdict.done());
        assertThat(second.get()).hasSize(200).containsOnly(Verdict.done());
      }
    }
  }

  @Test
  void what_was_acknowledged_survives_broken_connections() throws Exception {
    List<NewRow> acknowledged = Collections.synchronizedList(new ArrayList<>());
    try (JdbcStore patient =
            JdbcStore.builder()
                .url(scene.database.url())
                .clock(scene.clock)
                .patience(Duration.ofMinutes(1))
                .open();
        ExecutorService submitters = Executors.newFixedThreadPool(4);
        Connection killer = scene.database.connect()) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        done.add(submitters.submit(() -> submitMany(patient, acknowledged)));
      }
      while (done.stream().anyMatch(future -> !future.isDone())) {
        Scene.number(
            killer,
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND random() < 0.02
            """);
        LockSupport.parkNanos(10_000_000);
      }
      for (Future<?> future : done) {
        future.get();
      }
    }
    assertThat(acknowledged).hasSize(4 * 300);
    assertThat(acknowledged).allMatch(row -> scene.store.reader().find(row.id()).isPresent());
    // The engine's own connection, too, was broken; a claim on it would end with an unknown answer.
    assertThat(scene.store.nodes().alive()).hasSize(1);
    assertThat(scene.store.claim(scene.request(2_000)).leases()).hasSize(4 * 300);
  }

  private static void submitMany(JdbcStore store, List<NewRow> acknowledged) {
    for (int i = 0; i < 100; i++) {
      Submission submission = Scene.submission(3);
      store.submit(submission);
      acknowledged.addAll(submission.tasks());
    }
  }

  @Test
  void a_message_with_a_zero_character_does_not_hurt_its_batch() {
    Task task = scene.running(1).getFirst();
    Failure failure = Failure.explicit("bad").withMessage("before\0after");
    Change change =
        scene.lifecycle.settle(task, new Outcome.Failed(failure, null), scene.clock.instant());

    assertThat(scene.store.apply(List.of(change))).containsExactly(Verdict.done());
    assertThat(scene.find(task).ending().failureReason()).isEqualTo("before\uFFFDafter");
  }
}
