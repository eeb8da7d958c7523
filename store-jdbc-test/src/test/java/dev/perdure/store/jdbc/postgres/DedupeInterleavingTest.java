// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that use one dedupe key at the same time. */
final class DedupeInterleavingTest {

  private static final String KEY = "sync-42";

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  private static TaskDefinition keyed(String key, String payload) {
    return new TaskDefinition(
        "a", null, payload, null, null, null, null, null, null, 0, null, null, null, null, null,
        null, key);
  }

  private static Submission submission(String... keys) {
    List<NewTaskRow> rows = new ArrayList<>();
    for (String key : keys) {
      rows.add(new NewTaskRow(PostgresScenario.id(), keyed(key, "{}"), DueTime.now()));
    }
    return new Submission(PostgresScenario.id(), rows);
  }

  private static Submission replacing(String payload) {
    return new Submission(
        PostgresScenario.id(),
        List.of(
            new NewTaskRow(
                PostgresScenario.id(),
                keyed(KEY, payload),
                DueTime.now(),
                null,
                null,
                false,
                true)));
  }

  private SubmissionReceipt submitIn(Connection connection, Submission submission) {
    return scenario.store.inTransaction(connection).submit(submission);
  }

  private UUID holder() {
    return scenario.store.reader().findByDedupeKey(0, KEY).orElseThrow();
  }

  private Task task(UUID id) {
    return scenario.store.reader().find(id).orElseThrow();
  }

  /** A statement of the caller, which fails if its transaction was aborted. */
  private static void requireUsable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_submission_waits_for_the_one_that_has_taken_the_key(boolean firstCommits)
      throws Exception {
    try (Connection first = scenario.database.begin()) {
      UUID id = submitIn(first, submission(KEY)).ids().getFirst();
      Submission later = submission(KEY);
      Future<SubmissionReceipt> second = scenario.blocked(() -> scenario.store.submit(later));
      if (firstCommits) {
        first.commit();
        assertThat(second.get().ids()).containsExactly(id);
        assertThat(second.get().isDuplicate(0)).isTrue();
      } else {
        first.rollback();
        assertThat(second.get()).isEqualTo(later.stored());
      }
      assertThat(holder()).isEqualTo(second.get().ids().getFirst());
    }
  }

  @Test
  void a_callers_transaction_stays_usable_after_a_conflict() throws Exception {
    try (Connection first = scenario.database.begin();
        Connection second = scenario.database.begin()) {
      submitIn(second, submission("before"));
      UUID id = submitIn(first, submission(KEY)).ids().getFirst();
      Future<SubmissionReceipt> conflict =
          scenario.blocked(() -> submitIn(second, submission("beside", KEY)));
      first.commit();

      assertThat(conflict.get().ids()).contains(id);
      assertThat(conflict.get().duplicates()).containsExactly(1);
      requireUsable(second);
      assertThat(submitIn(second, submission("after")).stored()).isOne();
      second.commit();
    }
    for (String key : List.of("before", "beside", "after", KEY)) {
      assertThat(scenario.store.reader().findByDedupeKey(0, key)).as(key).isPresent();
    }
  }

  @Test
  void a_caller_with_an_old_snapshot_is_told_to_begin_a_new_transaction() throws Exception {
    try (Connection old = scenario.database.begin()) {
      old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      requireUsable(old);
      scenario.store.submit(submission(KEY));

      assertThatThrownBy(() -> submitIn(old, submission(KEY)))
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.unavailable()).isTrue())
          .hasMessageContaining("older than the task")
          .hasMessageContaining("begin a new transaction");
      requireUsable(old);
    }
  }

  @Test
  void two_submissions_with_the_same_keys_in_another_order_do_not_deadlock() throws Exception {
    try (Connection first = scenario.database.begin()) {
      submitIn(first, submission("b", "a"));
      Future<SubmissionReceipt> second =
          scenario.blocked(() -> scenario.store.submit(submission("a", "c", "b")));
      first.commit();
      assertThat(second.get().duplicates()).containsExactlyInAnyOrder(0, 2);
      assertThat(second.get().stored()).isOne();
    }
  }

  @Test
  void a_task_that_is_not_claimed_starts_after_the_caller_has_committed() throws Exception {
    UUID existing = scenario.store.submit(submission(KEY)).ids().getFirst();
    try (Connection caller = scenario.database.begin()) {
      assertThat(submitIn(caller, submission(KEY)).ids()).containsExactly(existing);
      assertThat(scenario.store.claim(scenario.request(1)).leases())
          .as("it would not see what the caller writes")
          .isEmpty();
      caller.commit();
    }
    assertThat(scenario.store.claim(scenario.request(1)).leases()).hasSize(1);
  }

  @Test
  void duplicates_of_one_task_do_not_wait_for_each_other() throws Exception {
    UUID existing = scenario.store.submit(submission(KEY)).ids().getFirst();
    try (Connection first = scenario.database.begin();
        Connection second = scenario.database.begin()) {
      setLockTimeout(second);
      assertThat(submitIn(first, submission(KEY)).ids()).containsExactly(existing);
      assertThat(submitIn(second, submission(KEY)).ids()).containsExactly(existing);
      first.commit();
      assertThat(scenario.store.claim(scenario.request(1)).leases())
          .as("while the second is open")
          .isEmpty();
      second.commit();
    }
    assertThat(scenario.store.claim(scenario.request(1)).leases()).hasSize(1);
  }

  @Test
  void the_end_of_a_task_waits_for_all_its_duplicates() throws Exception {
    UUID existing = scenario.store.submit(submission(KEY)).ids().getFirst();
    try (Connection first = scenario.database.begin();
        Connection second = scenario.database.begin()) {
      setLockTimeout(second);
      submitIn(first, submission(KEY));
      TaskChange cancel = scenario.lifecycle.cancel(task(existing));
      Future<List<WriteResult>> canceled =
          scenario.blocked(() -> scenario.store.apply(List.of(cancel)));
      assertThat(submitIn(second, submission(KEY)).ids()).containsExactly(existing);
      first.commit();
      assertThat(submitIn(second, submission(KEY)).ids()).containsExactly(existing);
      second.commit();
      assertThat(canceled.get()).containsExactly(WriteResult.written());
    }
    assertThat(scenario.store.submit(submission(KEY)).stored()).isOne();
  }

  /** A wait for a lock fails soon, instead of when the statement times out. */
  private static void setLockTimeout(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '2s'");
    }
  }

  @Test
  void the_end_of_a_running_task_does_not_wait_for_the_caller() throws Exception {
    Task running = scenario.running(1, keyed(KEY, "{}")).getFirst();
    try (Connection caller = scenario.database.begin()) {
      assertThat(submitIn(caller, submission(KEY)).ids()).containsExactly(running.id());
      assertThat(scenario.store.apply(List.of(scenario.success(running))))
          .containsExactly(WriteResult.written());
      assertThat(submitIn(caller, submission(KEY)).stored()).as("the key is free").isOne();
      caller.commit();
    }
    assertThat(holder()).isNotEqualTo(running.id());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_submission_waits_for_the_cancel_of_the_task_that_has_the_key(boolean commits)
      throws Exception {
    UUID existing = scenario.store.submit(submission(KEY)).ids().getFirst();
    try (Connection canceling = scenario.database.begin()) {
      scenario.apply(canceling, scenario.lifecycle.cancel(task(existing)));
      Future<SubmissionReceipt> second =
          scenario.blocked(() -> scenario.store.submit(submission(KEY)));
      if (commits) {
        canceling.commit();
        assertThat(second.get().stored()).isOne();
      } else {
        canceling.rollback();
        assertThat(second.get().ids()).containsExactly(existing);
      }
    }
  }

  @Test
  void a_claim_that_comes_first_keeps_the_task_from_being_replaced() throws Exception {
    UUID existing = scenario.store.submit(submission(KEY)).ids().getFirst();
    try (Connection claiming = scenario.database.begin()) {
      assertThat(scenario.claim(claiming, 1)).hasSize(1);
      Future<SubmissionReceipt> replaced =
          scenario.blocked(() -> scenario.store.submit(replacing("2")));
      claiming.commit();
      assertThat(replaced.get().ids()).containsExactly(existing);
    }
    assertThat(task(existing).definition().payload()).isEqualTo("{}");
  }

  @Test
  void a_replaced_task_keeps_its_payload_when_the_caller_rolls_back() throws Exception {
    UUID existing = scenario.store.submit(submission(KEY)).ids().getFirst();
    try (Connection caller = scenario.database.begin()) {
      submitIn(caller, replacing("2"));
      caller.rollback();
    }
    assertThat(task(existing).definition().payload()).isEqualTo("{}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_revive_waits_for_the_submission_that_has_taken_the_key(boolean commits) throws Exception {
    UUID ended = scenario.store.submit(submission(KEY)).ids().getFirst();
    scenario.store.apply(List.of(scenario.lifecycle.cancel(task(ended))));
    UUID other = scenario.store.submit(submission("other")).ids().getFirst();
    try (Connection submitting = scenario.database.begin()) {
      submitIn(submitting, submission(KEY));
      Future<List<WriteResult>> revived =
          scenario.blocked(
              () ->
                  scenario.store.apply(
                      List.of(
                          scenario.lifecycle.revive(task(ended)),
                          scenario.lifecycle.cancel(task(other)))));
      if (commits) {
        submitting.commit();
        assertThat(revived.get())
            .containsExactly(WriteResult.refused(TaskState.CANCELED, 0), WriteResult.written());
      } else {
        submitting.rollback();
        assertThat(revived.get()).containsExactly(WriteResult.written(), WriteResult.written());
      }
    }
    assertThat(task(other).state()).isEqualTo(TaskState.CANCELED);
    assertThat(task(ended).state().isLive()).isEqualTo(!commits);
  }

  @Test
  void a_submission_waits_for_a_revive_of_the_key() throws Exception {
    UUID ended = scenario.store.submit(submission(KEY)).ids().getFirst();
    scenario.store.apply(List.of(scenario.lifecycle.cancel(task(ended))));
    try (Connection reviving = scenario.database.begin()) {
      scenario.apply(reviving, scenario.lifecycle.revive(task(ended)));
      Future<SubmissionReceipt> second =
          scenario.blocked(() -> scenario.store.submit(submission(KEY)));
      reviving.commit();
      assertThat(second.get().ids()).containsExactly(ended);
    }
  }

  @Test
  void a_run_binds_to_a_task_that_takes_its_key_while_it_starts() throws Exception {
    Submission batch = submission(KEY, "second");
    scenario.store.submit(batch);
    for (NewTaskRow row : batch.tasks()) {
      scenario.store.apply(List.of(scenario.lifecycle.cancel(task(row.id()))));
    }
    DueRun run = new DueRun(batch.batch(), 1);
    assertThat(scenario.store.batches().runAgain(run)).isTrue();
    try (Connection submitting = scenario.database.begin()) {
      UUID taken = submitIn(submitting, submission(KEY)).ids().getFirst();
      Future<Integer> started =
          scenario.blocked(
              () -> scenario.store.batches().startRun(run, () -> PostgresScenario.id()));
      submitting.commit();
      assertThat(started.get()).isOne();
      assertThat(holder()).isEqualTo(taken);
    }
  }

  @Test
  void fifty_submissions_from_three_processes_are_one_task() throws Exception {
    try (JdbcStore second =
            JdbcStore.builder().url(scenario.database.url()).clock(scenario.clock).open();
        JdbcStore third =
            JdbcStore.builder().url(scenario.database.url()).clock(scenario.clock).open()) {
      List<JdbcStore> stores = List.of(scenario.store, second, third);
      UUID first = submitFifty(stores);
      assertThat(scenario.store.apply(List.of(scenario.lifecycle.cancel(task(first)))))
          .containsExactly(WriteResult.written());
      assertThat(submitFifty(stores)).as("the key is free after the end").isNotEqualTo(first);
    }
  }

  private static UUID submitFifty(List<JdbcStore> stores) throws Exception {
    List<Callable<SubmissionReceipt>> submits = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      JdbcStore store = stores.get(i % stores.size());
      Submission submission = submission(KEY);
      submits.add(() -> store.submit(submission));
    }
    List<SubmissionReceipt> receipts = new ArrayList<>();
    try (ExecutorService callers = Executors.newCachedThreadPool()) {
      for (Future<SubmissionReceipt> future : callers.invokeAll(submits)) {
        receipts.add(future.get());
      }
    }
    assertThat(receipts.stream().mapToInt(SubmissionReceipt::stored).sum()).isOne();
    assertThat(receipts).extracting(SubmissionReceipt::ids).containsOnly(receipts.getFirst().ids());
    assertThat(receipts)
        .extracting(SubmissionReceipt::batch)
        .containsOnly(receipts.getFirst().batch());
    return receipts.getFirst().ids().getFirst();
  }
}
