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

/** What is written on the caller's connection is true exactly when the caller commits. */
final class PostgresCallersTransactionTest {

  private final PostgresScenario postgresScenario = new PostgresScenario();

  @AfterEach
  void close() {
    postgresScenario.close();
  }

  @Test
  void a_task_can_be_claimed_only_after_the_commit() throws Exception {
    try (Connection caller = postgresScenario.database.begin()) {
      postgresScenario.store.inTransaction(caller).submit(PostgresScenario.submission(1));
      assertThat(postgresScenario.store.claim(postgresScenario.request(1)).leases()).isEmpty();
      caller.commit();
      assertThat(postgresScenario.store.claim(postgresScenario.request(1)).leases()).hasSize(1);
    }
  }

  @Test
  void a_task_never_was_after_the_rollback() throws Exception {
    try (Connection caller = postgresScenario.database.begin()) {
      postgresScenario.store.inTransaction(caller).submit(PostgresScenario.submission(1));
      caller.rollback();
    }
    assertThat(postgresScenario.store.reader().count(TaskFilter.all(), 1)).isZero();
  }

  @Test
  void a_large_submission_is_undone_as_a_whole() throws Exception {
    Submission large =
        PostgresScenario.submission(PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT + 1);
    try (Connection caller = postgresScenario.database.begin()) {
      postgresScenario.store.inTransaction(caller).submit(large);
      caller.rollback();
      assertThat(postgresScenario.store.reader().count(TaskFilter.all(), 1)).isZero();
      postgresScenario.store.inTransaction(caller).submit(large);
      caller.commit();
    }
    assertThat(postgresScenario.store.reader().count(TaskFilter.all(), 10_000))
        .isEqualTo(PostgresSubmissionWriter.MAX_ROWS_PER_STATEMENT + 1);
  }

  @Test
  void an_attempt_ends_with_the_commit() throws Exception {
    Task task = postgresScenario.running(1).getFirst();
    try (Connection caller = postgresScenario.database.begin()) {
      assertThat(
              postgresScenario
                  .store
                  .inTransaction(caller)
                  .apply(List.of(postgresScenario.success(task))))
          .containsExactly(WriteResult.written());
      assertThat(postgresScenario.find(task).state()).isEqualTo(TaskState.RUNNING);
      caller.commit();
    }
    assertThat(postgresScenario.find(task).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void a_failure_is_left_to_the_caller() throws Exception {
    try (Connection caller = postgresScenario.database.begin()) {
      PostgresScenario.number(caller, "SELECT 1");
      assertThatThrownBy(() -> PostgresScenario.number(caller, "SELECT 1 / 0"))
          .hasMessageContaining("zero");
      assertThatThrownBy(
              () ->
                  postgresScenario
                      .store
                      .inTransaction(caller)
                      .submit(PostgresScenario.submission(1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("caller's transaction");
      caller.rollback();
      postgresScenario.store.inTransaction(caller).submit(PostgresScenario.submission(1));
      caller.commit();
    }
    assertThat(postgresScenario.store.reader().count(TaskFilter.all(), 10)).isEqualTo(1);
  }
}
