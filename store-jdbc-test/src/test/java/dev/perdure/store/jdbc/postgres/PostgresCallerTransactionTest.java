// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.CallerTransaction;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes on the caller's connection take effect exactly when the caller commits. */
final class PostgresCallerTransactionTest {

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @Test
  void a_task_can_be_claimed_only_after_the_commit() throws Exception {
    try (Connection caller = scenario.database.begin()) {
      scenario.store.inTransaction(caller).submit(PostgresScenario.submission(1));
      assertThat(scenario.store.claim(scenario.request(1)).leases()).isEmpty();
      caller.commit();
      assertThat(scenario.store.claim(scenario.request(1)).leases()).hasSize(1);
    }
  }

  @Test
  void a_task_does_not_exist_after_a_rollback() throws Exception {
    try (Connection caller = scenario.database.begin()) {
      scenario.store.inTransaction(caller).submit(PostgresScenario.submission(1));
      caller.rollback();
    }
    assertThat(scenario.store.reader().count(TaskFilter.all(), 1)).isZero();
  }

  @Test
  void a_large_submission_is_rolled_back_completely() throws Exception {
    Submission large =
        PostgresScenario.submission(PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT + 1);
    try (Connection caller = scenario.database.begin()) {
      scenario.store.inTransaction(caller).submit(large);
      caller.rollback();
      assertThat(scenario.store.reader().count(TaskFilter.all(), 1)).isZero();
      scenario.store.inTransaction(caller).submit(large);
      caller.commit();
    }
    assertThat(scenario.store.reader().count(TaskFilter.all(), 10_000))
        .isEqualTo(PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT + 1);
  }

  @Test
  void an_attempt_ends_when_the_caller_commits() throws Exception {
    Task task = scenario.running(1).getFirst();
    try (Connection caller = scenario.database.begin()) {
      assertThat(scenario.store.inTransaction(caller).apply(List.of(scenario.success(task))))
          .containsExactly(WriteResult.written());
      assertThat(scenario.find(task).state()).isEqualTo(TaskState.RUNNING);
      caller.commit();
    }
    assertThat(scenario.find(task).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void a_connection_without_a_transaction_is_refused() throws Exception {
    Task task = scenario.running(1).getFirst();
    try (Connection caller = scenario.database.connect()) {
      CallerTransaction transaction = scenario.store.inTransaction(caller);
      assertThatThrownBy(() -> transaction.submit(PostgresScenario.submission(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("auto-commit")
          .hasMessageContaining("connection.setAutoCommit(false)");
      assertThatThrownBy(() -> transaction.apply(List.of(scenario.success(task))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("auto-commit");
    }
    assertThat(scenario.store.reader().count(TaskFilter.all(), 10)).isEqualTo(1);
    assertThat(scenario.find(task).state()).isEqualTo(TaskState.RUNNING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_key_waits_for_the_transaction_that_took_it(boolean firstCommits) throws Exception {
    Engine engine = Engine.on(scenario.store);
    try (Connection first = scenario.database.begin();
        Connection second = scenario.database.begin()) {
      UUID id = submit(engine, first);
      Future<UUID> repeated = scenario.blocked(() -> submit(engine, second));
      if (firstCommits) {
        first.commit();
        assertThat(repeated.get()).isEqualTo(id);
      } else {
        first.rollback();
        assertThat(repeated.get()).isNotEqualTo(id);
      }
      second.commit();
    }
    assertThat(scenario.store.reader().count(TaskFilter.all(), 10)).isEqualTo(1);
  }

  private UUID submit(Engine engine, Connection connection) {
    return engine.submit(
        NewTask.of("a", "x"), SubmissionKey.of("k"), scenario.store.inTransaction(connection));
  }

  @Test
  void an_error_is_not_retried() throws Exception {
    try (Connection caller = scenario.database.begin()) {
      PostgresScenario.number(caller, "SELECT 1");
      assertThatThrownBy(() -> PostgresScenario.number(caller, "SELECT 1 / 0"))
          .hasMessageContaining("zero");
      assertThatThrownBy(
              () -> scenario.store.inTransaction(caller).submit(PostgresScenario.submission(1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("caller's transaction");
      caller.rollback();
      scenario.store.inTransaction(caller).submit(PostgresScenario.submission(1));
      caller.commit();
    }
    assertThat(scenario.store.reader().count(TaskFilter.all(), 10)).isEqualTo(1);
  }
}
