// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions that lock the same tasks, as holders of dedupe keys and as parents. PostgreSQL
 * counts the deadlocks.
 */
final class DedupeLockOrderTest {

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  private static NewTaskRow row(@Nullable String key) {
    return new NewTaskRow(
        PostgresScenario.id(),
        new TaskDefinition(
            "a", null, "{}", null, null, null, null, null, null, 0, null, null, null, null, null,
            null, key),
        DueTime.now());
  }

  private UUID submit(String key) {
    return scenario.store.submit(submission(List.of(row(key)))).ids().getFirst();
  }

  private static Submission submission(List<NewTaskRow> rows, UUID... parentsOfLast) {
    List<Dependency> dependencies = new ArrayList<>();
    for (UUID parent : parentsOfLast) {
      dependencies.add(new Dependency(parent, rows.getLast().id(), true));
    }
    return new Submission(PostgresScenario.id(), BatchDefinition.NONE, rows, dependencies, null);
  }

  private Task task(UUID id) {
    return scenario.store.reader().find(id).orElseThrow();
  }

  private void cancel(UUID id) {
    scenario.store.apply(List.of(scenario.lifecycle.cancel(task(id))));
  }

  /** Locks the task until the transaction ends. */
  private Connection lock(UUID id) throws Exception {
    Connection connection = scenario.database.begin();
    scenario.apply(connection, scenario.lifecycle.cancel(task(id)));
    return connection;
  }

  private SubmissionReceipt submitAndCommit(Submission submission) throws Exception {
    try (Connection connection = scenario.database.begin()) {
      SubmissionReceipt receipt = scenario.store.inTransaction(connection).submit(submission);
      connection.commit();
      return receipt;
    }
  }

  @Test
  void holders_and_parents_are_locked_in_one_order() throws Exception {
    UUID first = submit("first");
    UUID second = submit("second");
    Submission one = submission(List.of(row("second"), row(null)), first);
    Submission other = submission(List.of(row("first"), row(null)), second);
    try (Connection locking = lock(first)) {
      Future<SubmissionReceipt> otherDone = scenario.blocked(() -> submitAndCommit(other));
      Future<SubmissionReceipt> oneDone = scenario.blocked(() -> submitAndCommit(one));
      locking.rollback();

      assertThat(otherDone.get().ids()).startsWith(first);
      assertThat(oneDone.get().ids()).startsWith(second);
    }
    assertThat(scenario.deadlocks()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_submission_starts_over_when_an_earlier_task_has_got_a_key(boolean callersTransaction)
      throws Exception {
    UUID first = submit("first");
    cancel(first);
    UUID second = submit("second");
    Submission both = submission(List.of(row("first"), row("second")));
    try (Connection locking = lock(second)) {
      Future<SubmissionReceipt> submitted =
          scenario.blocked(
              () -> callersTransaction ? submitAndCommit(both) : scenario.store.submit(both));
      scenario.store.apply(List.of(scenario.lifecycle.revive(task(first))));
      locking.rollback();

      assertThat(submitted.get().ids()).containsExactly(first, second);
    }
  }

  @Test
  void a_new_run_locks_the_live_tasks_that_have_its_keys_in_the_same_order() throws Exception {
    UUID holder = submit("key");
    cancel(holder);
    List<NewTaskRow> rows = List.of(row("key"), row(null));
    Submission batch = submission(rows);
    scenario.store.submit(batch);
    rows.forEach(row -> cancel(row.id()));
    scenario.store.apply(List.of(scenario.lifecycle.revive(task(holder))));
    DueRun run = new DueRun(batch.batch(), 1);
    assertThat(scenario.store.batches().runAgain(run)).isTrue();
    UUID old = rows.getFirst().id();
    Submission dependent = submission(List.of(row(null)), holder, old);
    try (Connection locking = scenario.database.begin()) {
      scenario.apply(locking, scenario.lifecycle.revive(task(rows.getLast().id())));
      Future<Integer> started =
          scenario.blocked(
              () -> scenario.store.batches().startRun(run, () -> PostgresScenario.id()));
      Future<SubmissionReceipt> submitted = scenario.blocked(() -> submitAndCommit(dependent));
      locking.rollback();

      assertThat(started.get()).isOne();
      assertThat(submitted.get().stored()).isOne();
    }
    assertThat(scenario.deadlocks()).isZero();
  }

  @Test
  void tasks_that_depend_on_the_same_duplicate_are_stored_without_deadlocks() throws Exception {
    UUID first = submit("first");
    UUID second = submit("second");
    List<Callable<SubmissionReceipt>> submits = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      List<NewTaskRow> rows = List.of(row("first"), row("second"), row(null));
      Submission submission =
          i % 3 == 0
              ? submission(rows)
              : submission(rows, i % 3 == 1 ? rows.get(0).id() : second, rows.get(1).id());
      submits.add(() -> submitAndCommit(submission));
    }
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      for (Future<SubmissionReceipt> future : callers.invokeAll(submits)) {
        assertThat(future.get().ids()).startsWith(first, second);
      }
    }
    assertThat(scenario.deadlocks()).isZero();
  }
}
