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

/** Transient errors are retried inside the store, and lost responses are reported as unknown. */
final class PostgresRetryTest {

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03"})
  void a_conflict_is_retried(String state) throws SQLException {
    Task task = scenario.running(1).getFirst();
    failFirstUpdate(state);

    assertThat(scenario.store.apply(List.of(scenario.success(task))))
        .containsExactly(WriteResult.written());
    assertThat(updates()).isEqualTo(2);
  }

  @Test
  void a_persistent_error_is_not_retried() throws SQLException {
    Task task = scenario.running(1).getFirst();
    failFirstUpdate("23514");

    assertThatThrownBy(() -> scenario.store.apply(List.of(scenario.success(task))))
        .asInstanceOf(type(StoreException.class))
        .extracting(StoreException::unknown)
        .isEqualTo(false);
    assertThat(updates()).isEqualTo(1);
    assertThat(scenario.find(task)).isEqualTo(task);
  }

  /** Counts the tries with a sequence, which a rollback does not reset. */
  private void failFirstUpdate(String state) throws SQLException {
    scenario.execute(
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
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(connection, "SELECT last_value FROM updates");
    }
  }

  @Test
  void a_change_with_a_lost_response_counts_as_applied() {
    TaskChange change = scenario.success(scenario.running(1).getFirst());
    PostgresChangeWriter changeWriter =
        new PostgresChangeWriter(scenario.executor, scenario.rowMapper);
    AtomicInteger tries = new AtomicInteger();

    List<WriteResult> results =
        scenario.executor.runIdempotent(
            "apply",
            (connection, unsure) -> {
              List<WriteResult> found = changeWriter.apply(connection, 0, List.of(change), unsure);
              loseResponse(tries.incrementAndGet());
              return found;
            });

    assertThat(tries).hasValue(2);
    assertThat(results).containsExactly(WriteResult.written());
    assertThat(scenario.store.reader().attempts(change.task(), 10)).hasSize(1);
  }

  @Test
  void another_writers_end_does_not_count_as_the_lost_one() {
    Task task = scenario.running(1).getFirst();
    TaskChange handBack =
        scenario.lifecycle.settle(task, new Outcome.HandedBack(), scenario.clock.instant());
    PostgresChangeWriter changeWriter =
        new PostgresChangeWriter(scenario.executor, scenario.rowMapper);
    AtomicInteger tries = new AtomicInteger();

    List<WriteResult> results =
        scenario.executor.runIdempotent(
            "apply",
            (connection, unsure) -> {
              if (tries.get() == 0) {
                scenario.store.apply(List.of(scenario.lifecycle.workerLost(task)));
              }
              loseResponse(tries.incrementAndGet());
              return changeWriter.apply(connection, 0, List.of(handBack), unsure);
            });

    assertThat(results).containsExactly(WriteResult.refused(TaskState.PENDING, 1));
  }

  @Test
  void a_refused_change_stays_refused_without_a_lost_response() {
    TaskChange change = scenario.success(scenario.running(1).getFirst());
    scenario.store.apply(List.of(change));

    assertThat(scenario.store.apply(List.of(change)))
        .containsExactly(WriteResult.refused(TaskState.SUCCESS, 1));
  }

  @Test
  void a_claim_with_a_lost_response_is_not_repeated() {
    scenario.store.submit(PostgresScenario.submission(2));
    ResponseLosingDataSource losing =
        new ResponseLosingDataSource(scenario.dataSource(), "FOR UPDATE SKIP LOCKED");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(scenario.clock).open()) {
      losing.loseNext();
      assertThatThrownBy(() -> store.claim(scenario.request(1)))
          .asInstanceOf(type(StoreException.class))
          .extracting(StoreException::unknown)
          .isEqualTo(true);
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(scenario.store.nodes().renew(scenario.node, PostgresScenario.VALIDITY).orElseThrow())
        .hasSize(1);
  }

  @Test
  void a_change_with_a_lost_response_is_written_once() {
    TaskChange change = scenario.success(scenario.running(1).getFirst());
    ResponseLosingDataSource losing =
        new ResponseLosingDataSource(scenario.dataSource(), "INSERT INTO perdure_attempt");

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(scenario.clock).open()) {
      losing.loseNext();
      assertThat(store.apply(List.of(change))).containsExactly(WriteResult.written());
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(scenario.store.reader().attempts(change.task(), 10)).hasSize(1);
  }

  @Test
  void added_progress_is_reported_even_if_the_lookup_of_refused_reports_fails() {
    List<Task> tasks = scenario.running(2);
    Task ended = tasks.getLast();
    scenario.store.apply(List.of(scenario.success(ended)));
    ResponseLosingDataSource losing =
        new ResponseLosingDataSource(scenario.dataSource(), "SELECT s.id, s.state");
    List<ProgressReport> both =
        tasks.stream().map(task -> new ProgressReport(task.lease(), 1, 0, null)).toList();

    try (JdbcStore store =
        JdbcStore.builder().dataSource(losing.connections()).clock(scenario.clock).open()) {
      losing.loseNext();
      assertThat(store.addProgress(both))
          .containsExactly(WriteResult.written(), WriteResult.refused(TaskState.SUCCESS, 1));
    }
    assertThat(losing.lost()).isEqualTo(1);
    assertThat(scenario.find(tasks.getFirst()).progress().success()).isOne();
  }

  private static void loseResponse(int attempt) throws SQLException {
    if (attempt == 1) {
      throw new SQLException("the response was lost", "08006");
    }
  }

  @Test
  void the_first_of_two_changes_of_one_task_is_applied() {
    Task task = scenario.running(1).getFirst();
    List<TaskChange> both = List.of(scenario.lifecycle.cancel(task), scenario.success(task));

    assertThat(scenario.store.apply(both))
        .containsExactly(WriteResult.written(), WriteResult.refused(TaskState.CANCELED, 1));
    assertThat(scenario.store.reader().attempts(task.id(), 10)).hasSize(1);
  }

  @Test
  void overlapping_batches_in_opposite_order_do_not_deadlock() throws Exception {
    List<Task> tasks = scenario.running(200);
    for (int round = 0; round < 20; round++) {
      List<TaskChange> pauses = tasks.stream().map(scenario.lifecycle::pause).toList();
      List<TaskChange> resumes =
          new ArrayList<>(tasks.stream().map(scenario.lifecycle::resume).toList());
      Collections.reverse(resumes);
      try (ExecutorService two = Executors.newFixedThreadPool(2)) {
        Future<List<WriteResult>> first = two.submit(() -> scenario.store.apply(pauses));
        Future<List<WriteResult>> second = two.submit(() -> scenario.store.apply(resumes));
        assertThat(first.get()).hasSize(200).containsOnly(WriteResult.written());
        assertThat(second.get()).hasSize(200).containsOnly(WriteResult.written());
      }
    }
  }

  @Test
  void acknowledged_writes_survive_broken_connections() throws Exception {
    List<NewTaskRow> acknowledged = Collections.synchronizedList(new ArrayList<>());
    try (JdbcStore store =
            JdbcStore.builder()
                .url(scenario.database.url())
                .clock(scenario.clock)
                .retryTimeout(Duration.ofMinutes(1))
                .open();
        ExecutorService submitters = Executors.newFixedThreadPool(4);
        Connection killer = scenario.database.connect()) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        done.add(submitters.submit(() -> submitMany(store, acknowledged)));
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
    assertThat(acknowledged).allMatch(row -> scenario.store.reader().find(row.id()).isPresent());
    // The engine's own connection was broken too; a claim on it would end with an unknown result.
    assertThat(scenario.store.nodes().alive()).hasSize(1);
    assertThat(scenario.store.claim(scenario.request(2_000)).leases()).hasSize(4 * 300);
  }

  private static void submitMany(JdbcStore store, List<NewTaskRow> acknowledged) {
    for (int i = 0; i < 100; i++) {
      Submission submission = PostgresScenario.submission(3);
      store.submit(submission);
      acknowledged.addAll(submission.tasks());
    }
  }

  @Test
  void a_message_with_a_nul_character_does_not_fail_its_batch() {
    Task task = scenario.running(1).getFirst();
    Failure failure = Failure.explicit("bad").withMessage("before\0after");
    TaskChange change =
        scenario.lifecycle.settle(
            task, new Outcome.Failed(failure, null), scenario.clock.instant());

    assertThat(scenario.store.apply(List.of(change))).containsExactly(WriteResult.written());
    assertThat(scenario.find(task).lastResult().failureReason()).isEqualTo("before\uFFFDafter");
  }
}
