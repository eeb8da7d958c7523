// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class GroupCommitTest {

  @TempDir Path folder;
  private SqliteStore store;

  @BeforeEach
  void open() {
    store = SqliteTestTasks.open(folder.resolve("tasks.db"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void operations_queued_while_the_writer_is_busy_are_committed_together() throws Exception {
    List<Submission> submissions = new ArrayList<>();
    List<Future<?>> futures = new ArrayList<>();
    long before = store.commits();
    try (BlockedWriter blocked = new BlockedWriter(store)) {
      for (int i = 0; i < 200; i++) {
        Submission submission = SqliteTestTasks.one();
        submissions.add(submission);
        futures.add(blocked.start(() -> store.submit(submission)));
      }
      assertThat(futures).noneMatch(Future::isDone);
    }
    for (Future<?> future : futures) {
      future.get();
    }
    assertThat(store.commits() - before)
        .as("one commit for the blocking operation and one for all others")
        .isEqualTo(2);
    assertThat(submissions).allMatch(submission -> exists(SqliteTestTasks.first(submission)));
  }

  @Test
  void a_single_operation_is_committed_alone() {
    long before = store.commits();
    store.submit(SqliteTestTasks.one());
    store.submit(SqliteTestTasks.one());
    assertThat(store.commits() - before).isEqualTo(2);
  }

  @Test
  void a_failed_operation_does_not_affect_the_others() throws Exception {
    Submission first = SqliteTestTasks.one();
    Submission thrown = SqliteTestTasks.one();
    Submission refused = SqliteTestTasks.one();
    Submission last = SqliteTestTasks.one();
    List<Future<?>> futures = new ArrayList<>();
    long before = store.commits();
    try (BlockedWriter blocked = new BlockedWriter(store)) {
      futures.add(blocked.start(() -> store.submit(first)));
      futures.add(
          blocked.start(() -> submitAndThen(thrown, new IllegalStateException("test failure"))));
      futures.add(blocked.start(() -> submitAndThen(refused, null)));
      futures.add(blocked.start(() -> store.submit(last)));
    }
    futures.get(0).get();
    assertThatThrownBy(() -> futures.get(1).get())
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("test failure");
    assertThatThrownBy(() -> futures.get(2).get())
        .cause()
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CHECK");
    futures.get(3).get();
    assertThat(exists(SqliteTestTasks.first(first))).isTrue();
    assertThat(exists(SqliteTestTasks.first(thrown))).isFalse();
    assertThat(exists(SqliteTestTasks.first(refused))).isFalse();
    assertThat(exists(SqliteTestTasks.first(last))).isTrue();
    assertThat(store.commits() - before).isEqualTo(2);
  }

  @Test
  void the_writer_survives_an_error() {
    assertThatThrownBy(
            () ->
                store.write(
                    (session, now) -> {
                      throw new StackOverflowError("test error");
                    }))
        .isInstanceOf(StoreException.class);
    Submission after = SqliteTestTasks.one();
    store.submit(after);
    assertThat(exists(SqliteTestTasks.first(after))).isTrue();
  }

  @Test
  void an_interrupted_caller_still_gets_the_result() {
    Submission submission = SqliteTestTasks.one();
    Thread.currentThread().interrupt();
    store.submit(submission);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(exists(SqliteTestTasks.first(submission))).isTrue();
  }

  @Test
  void closing_finishes_queued_operations_and_refuses_later_ones() throws Exception {
    Submission waiting = SqliteTestTasks.one();
    Future<?> future;
    try (BlockedWriter blocked = new BlockedWriter(store)) {
      future = blocked.start(() -> store.submit(waiting));
      blocked.release();
      store.close();
      future.get();
    }
    assertThatThrownBy(() -> store.submit(SqliteTestTasks.one()))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store is closed");
    store = SqliteTestTasks.open(folder.resolve("tasks.db"));
    assertThat(exists(SqliteTestTasks.first(waiting))).isTrue();
  }

  /** Submits, and then throws the failure, or violates a constraint if there is none. */
  private void submitAndThen(Submission submission, @Nullable RuntimeException failure) {
    store.write(
        (session, now) -> {
          new SqliteSubmissionWriter(session, now).submit(submission);
          if (failure != null) {
            throw failure;
          }
          return violateConstraint(session, now);
        });
  }

  private static int violateConstraint(SqliteSession session, long now) throws SQLException {
    return session
        .statement("batch.insert")
        .number("shard", 0)
        .id("id", SqliteTestTasks.id())
        .number("now", now)
        .number("size", 0)
        .update();
  }

  private boolean exists(UUID id) {
    return store.reader().find(id).isPresent();
  }
}
