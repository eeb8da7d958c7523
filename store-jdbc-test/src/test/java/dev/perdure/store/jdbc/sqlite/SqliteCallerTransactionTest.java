// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskWriter;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SqliteCallerTransactionTest {

  @TempDir Path folder;
  private SqliteStore store;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    Path file = folder.resolve("tasks.db");
    store = SqliteTestTasks.open(file);
    connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    store.close();
  }

  @Test
  void a_task_exists_exactly_when_the_caller_commits() throws SQLException {
    Submission submission = SqliteTestTasks.many(3);
    execute("INSERT INTO orders VALUES (1)");
    store.inTransaction(connection).submit(submission);
    assertThat(exists(SqliteTestTasks.first(submission))).isFalse();
    connection.commit();
    assertThat(submission.tasks()).allMatch(task -> exists(task.id()));
  }

  @Test
  void a_task_does_not_exist_after_the_caller_rolls_back() throws SQLException {
    Submission submission = SqliteTestTasks.one();
    store.inTransaction(connection).submit(submission);
    connection.rollback();
    assertThat(exists(SqliteTestTasks.first(submission))).isFalse();
  }

  @Test
  void a_connection_without_a_transaction_is_refused() throws SQLException {
    connection.setAutoCommit(true);
    TaskWriter writer = store.inTransaction(connection);
    Submission submission = SqliteTestTasks.many(3);
    assertThatThrownBy(() -> writer.submit(submission))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("auto-commit")
        .hasMessageContaining("connection.setAutoCommit(false)");
    assertThatThrownBy(() -> writer.apply(List.of())).hasMessageContaining("auto-commit");
    assertThat(submission.tasks()).noneMatch(task -> exists(task.id()));
  }

  @Test
  void a_failed_write_keeps_the_callers_own_writes() throws SQLException {
    Submission broken = SqliteTestTasks.many(2);
    execute("INSERT INTO orders VALUES (7)");
    execute(
        "CREATE TRIGGER refuse AFTER INSERT ON perdure_task BEGIN SELECT RAISE(ABORT, 'no'); END");
    TaskWriter writer = store.inTransaction(connection);
    assertThatThrownBy(() -> writer.submit(broken)).hasMessageContaining("no");
    execute("DROP TRIGGER refuse");
    connection.commit();
    assertThat(exists(SqliteTestTasks.first(broken))).isFalse();
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeQuery("SELECT id FROM orders").getInt(1)).isEqualTo(7);
    }
  }

  @Test
  void an_attempt_ends_in_the_callers_transaction() throws SQLException {
    Submission submission = SqliteTestTasks.one();
    store.submit(submission);
    Task task = store.claim(SqliteTestTasks.upTo(1)).leases().getFirst().task();
    var change =
        new TaskLifecycle(LossLimit.DEFAULT)
            .settle(task, new Outcome.Succeeded(null), task.times().updatedAt());
    execute("INSERT INTO orders VALUES (1)");
    assertThat(store.inTransaction(connection).apply(List.of(change)))
        .containsExactly(WriteResult.written());
    assertThat(state(task.id())).isEqualTo(TaskState.RUNNING);
    connection.commit();
    assertThat(state(task.id())).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void the_store_waits_for_the_callers_transaction() throws Exception {
    execute("INSERT INTO orders VALUES (1)");
    Submission submission = SqliteTestTasks.one();
    CompletableFuture<Void> submitted = CompletableFuture.runAsync(() -> store.submit(submission));
    while (store.lockWaits() < 3) {
      Thread.onSpinWait();
    }
    assertThat(submitted).isNotDone();
    connection.commit();
    submitted.join();
    assertThat(exists(SqliteTestTasks.first(submission))).isTrue();
  }

  @Test
  void a_connection_to_another_file_is_refused() throws SQLException {
    try (Connection other =
        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("other.db"))) {
      assertThatThrownBy(() -> store.inTransaction(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("other.db")
          .hasMessageContaining("tasks.db");
    }
  }

  private TaskState state(UUID id) {
    return store.reader().find(id).orElseThrow().state();
  }

  private boolean exists(UUID id) {
    return store.reader().find(id).isPresent();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
