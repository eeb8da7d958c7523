// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
