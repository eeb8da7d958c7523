// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
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
final class PostgresRetryTest {

  private final PostgresScenario postgresScenario = new PostgresScenario();

  @AfterEach
  void close() {
    postgresScenario.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03"})
  void a_collision_is_tried_again(String state) throws SQLException {
    Task task = postgresScenario.running(1).getFirst();
    failFirstUpdate(state);

    assertThat(postgresScenario.store.apply(List.of(postgresScenario.success(task))))
        .containsExactly(WriteResult.written());
    assertThat(updates()).isEqualTo(2);
  }

  @Test
  void what_would_fail_again_is_not_tried_again() throws SQLException {
    Task task = postgresScenario.running(1).getFirst();
    failFirstUpdate("23514");

    assertThatThrownBy(() -> postgresScenario.store.apply(List.of(postgresScenario.success(task))))
        .asInstanceOf(type(StoreException.class))
        .extracting(StoreException::unknown)
        .isEqualTo(false);
    assertThat(updates()).isEqualTo(1);
    assertThat(postgresScenario.find(task)).isEqualTo(task);
  }

  /** A sequence does not take part in the rollback: it counts the tries. */
  private void failFirstUpdate(String state) throws SQLException {
    postgresScenario.execute(
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
    try (Connection connection = postgresScenario.database.connect()) {
      return PostgresScenario.number(connection, "SELECT last_value FROM updates");
    }
  }

  @Test
  void a_change_whose_answer_was_lost_counts_as_written() {
    TaskChange taskChange = postgresScenario.success(postgresScenario.running(1).getFirst());
    PostgresChangeWriter postgresChangeWriter =
        new PostgresChangeWriter(postgresScenario.session, postgresScenario.rows);
    AtomicInteger tries = new AtomicInteger();

    List<WriteResult> writeResults =
        postgresScenario.session.runIdempotent(
            "apply",
            (connection, unsure) -> {
              List<WriteResult> found =
                  postgresChangeWriter.apply(connection, 0, List.of(taskChange), unsure);
              loseAnswer(tries.incrementAndGet());
              return found;
            });

    assertThat(tries).hasValue(2);
    assertThat(writeResults).containsExactly(WriteResult.written());
    assertThat(postgresScenario.store.reader().attempts(taskChange.task(), 10)).hasSize(1);
  }

  @Test
  void an_end_that_somebody_else_wrote_is_not_taken_for_the_one_whose_answer_was_lost() {
    Task task = postgresScenario.running(1).getFirst();
    TaskChange handBack =
        postgresScenario.lifecycle.settle(
            task, new Outcome.HandedBack(), postgresScenario.clock.instant());
    PostgresChangeWriter postgresChangeWriter =
        new PostgresChangeWriter(postgresScenario.session, postgresScenario.rows);
    AtomicInteger tries = new AtomicInteger();

    List<WriteResult> writeResults =
        postgresScenario.session.runIdempotent(
            "apply",
            (connection, unsure) -> {
              if (tries.get() == 0) {
                postgresScenario.store.apply(List.of(postgresScenario.lifecycle.workerLost(task)));
              }
              loseAnswer(tries.incrementAndGet());
              return postgresChangeWriter.apply(connection, 0, List.of(handBack), unsure);
            });

    assertThat(writeResults).containsExactly(WriteResult.refused(TaskState.PENDING, 1));
  }

  @Test
  void a_refused_change_stays_refused_when_no_answer_was_lost() {
    TaskChange taskChange = postgresScenario.success(postgresScenario.running(1).getFirst());
    postgresScenario.store.apply(List.of(taskChange));

    assertThat(postgresScenario.store.apply(List.of(taskChange)))
        .containsExactly(WriteResult.refused(TaskState.SUCCESS, 1));
  }

  @Test
  void a_claim_whose_answer_was_lost_is_not_repeated() {
    postgresScenario.store.submit(PostgresScenario.submission(2));
    ResponseLosingDataSource losing =
        new ResponseLosingDataSource(postgresScenario.dataSource(), "FOR UPDATE SKIP LOCKED");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(postgresScenario.clock).open()) {
      losing.loseNext();
      assertThatThrownBy(() -> store.claim(postgresScenario.request(1)))
          .asInstanceOf(type(StoreException.class))
          .extracting(StoreException::unknown)
          .isEqualTo(true);
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(
            postgresScenario
                .store
                .nodes()
                .renew(postgresScenario.node, PostgresScenario.VALIDITY)
                .orElseThrow())
        .hasSize(1);
  }

  @Test
  void a_change_whose_answer_was_lost_is_written_once_and_told() {
    TaskChange taskChange = postgresScenario.success(postgresScenario.running(1).getFirst());
    ResponseLosingDataSource losing =
        new ResponseLosingDataSource(postgresScenario.dataSource(), "INSERT INTO perdure_attempt");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(postgresScenario.clock).open()) {
      losing.loseNext();
      assertThat(store.apply(List.of(taskChange))).containsExactly(WriteResult.written());
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(postgresScenario.store.reader().attempts(taskChange.task(), 10)).hasSize(1);
  }

  @Test
  void what_was_added_is_told_although_the_look_at_what_was_not_fails() {
    List<Task> tasks = postgresScenario.running(2);
    Task ended = tasks.getLast();
    postgresScenario.store.apply(List.of(postgresScenario.success(ended)));
    ResponseLosingDataSource losing =
        new ResponseLosingDataSource(postgresScenario.dataSource(), "SELECT s.id, s.state");
    List<ProgressReport> both =
        tasks.stream().map(task -> new ProgressReport(task.lease(), 1, 0, null)).toList();

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(postgresScenario.clock).open()) {
      losing.loseNext();
      assertThat(store.counters().add(both))
          .containsExactly(WriteResult.written(), WriteResult.refused(TaskState.SUCCESS, 1));
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(postgresScenario.find(tasks.getFirst()).progress().success()).isOne();
  }

  private static void loseAnswer(int attempt) throws SQLException {
    if (attempt == 1) {
      throw new SQLException("the answer was lost", "08006");
    }
  }

  @Test
  void of_two_changes_of_one_task_the_first_counts() {
    Task task = postgresScenario.running(1).getFirst();
    List<TaskChange> both =
        List.of(postgresScenario.lifecycle.cancel(task), postgresScenario.success(task));

    assertThat(postgresScenario.store.apply(both))
        .containsExactly(WriteResult.written(), WriteResult.refused(TaskState.CANCELED, 1));
    assertThat(postgresScenario.store.reader().attempts(task.id(), 10)).hasSize(1);
  }

  @Test
  void batches_that_overlap_in_opposite_order_both_end() throws Exception {
    List<Task> tasks = postgresScenario.running(200);
    for (int round = 0; round < 20; round++) {
      List<TaskChange> pauses = tasks.stream().map(postgresScenario.lifecycle::pause).toList();
      List<TaskChange> resumes =
          new ArrayList<>(tasks.stream().map(postgresScenario.lifecycle::resume).toList());
      Collections.reverse(resumes);
      try (ExecutorService two = Executors.newFixedThreadPool(2)) {
        Future<List<WriteResult>> first = two.submit(() -> postgresScenario.store.apply(pauses));
        Future<List<WriteResult>> second = two.submit(() -> postgresScenario.store.apply(resumes));
        assertThat(first.get()).hasSize(200).containsOnly(WriteResult.written());
        assertThat(second.get()).hasSize(200).containsOnly(WriteResult.written());
      }
    }
  }

  @Test
  void what_was_acknowledged_survives_broken_connections() throws Exception {
    List<NewTaskRow> acknowledged = Collections.synchronizedList(new ArrayList<>());
    try (JdbcStore patient =
            JdbcStore.builder()
                .url(postgresScenario.database.url())
                .clock(postgresScenario.clock)
                .retryTimeout(Duration.ofMinutes(1))
                .open();
        ExecutorService submitters = Executors.newFixedThreadPool(4);
        Connection killer = postgresScenario.database.connect()) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        done.add(submitters.submit(() -> submitMany(patient, acknowledged)));
      }
      while (done.stream().anyMatch(future -> !future.isDone())) {
        PostgresScenario.number(
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
    assertThat(acknowledged)
        .allMatch(row -> postgresScenario.store.reader().find(row.id()).isPresent());
    // The engine's own connection, too, was broken; a claim on it would end with an unknown answer.
    assertThat(postgresScenario.store.nodes().alive()).hasSize(1);
    assertThat(postgresScenario.store.claim(postgresScenario.request(2_000)).leases())
        .hasSize(4 * 300);
  }

  private static void submitMany(JdbcStore store, List<NewTaskRow> acknowledged) {
    for (int i = 0; i < 100; i++) {
      Submission submission = PostgresScenario.submission(3);
      store.submit(submission);
      acknowledged.addAll(submission.tasks());
    }
  }

  @Test
  void a_message_with_a_zero_character_does_not_hurt_its_batch() {
    Task task = postgresScenario.running(1).getFirst();
    Failure failure = Failure.explicit("bad").withMessage("before\0after");
    TaskChange taskChange =
        postgresScenario.lifecycle.settle(
            task, new Outcome.Failed(failure, null), postgresScenario.clock.instant());

    assertThat(postgresScenario.store.apply(List.of(taskChange)))
        .containsExactly(WriteResult.written());
    assertThat(postgresScenario.find(task).lastResult().failureReason())
        .isEqualTo("before\uFFFDafter");
  }
}
