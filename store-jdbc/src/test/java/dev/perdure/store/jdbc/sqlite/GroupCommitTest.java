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
  void what_gathers_while_the_writer_is_busy_is_committed_together() throws Exception {
    List<Submission> submissions = new ArrayList<>();
    List<Future<?>> answers = new ArrayList<>();
    long before = store.commits();
    try (BlockedWriter blockedWriter = new BlockedWriter(store)) {
      for (int i = 0; i < 200; i++) {
        Submission submission = SqliteTestTasks.one();
        submissions.add(submission);
        answers.add(blockedWriter.start(() -> store.submit(submission)));
      }
      assertThat(answers).noneMatch(Future::isDone);
    }
    for (Future<?> answer : answers) {
      answer.get();
    }
    assertThat(store.commits() - before).as("the one that held, and all others").isEqualTo(2);
    assertThat(submissions).allMatch(submission -> isThere(SqliteTestTasks.first(submission)));
  }

  @Test
  void one_that_comes_alone_is_committed_alone() {
    long before = store.commits();
    store.submit(SqliteTestTasks.one());
    store.submit(SqliteTestTasks.one());
    assertThat(store.commits() - before).isEqualTo(2);
  }

  @Test
  void one_that_fails_hurts_only_itself() throws Exception {
    Submission first = SqliteTestTasks.one();
    Submission thrown = SqliteTestTasks.one();
    Submission refused = SqliteTestTasks.one();
    Submission last = SqliteTestTasks.one();
    List<Future<?>> answers = new ArrayList<>();
    long before = store.commits();
    try (BlockedWriter blockedWriter = new BlockedWriter(store)) {
      answers.add(blockedWriter.start(() -> store.submit(first)));
      answers.add(
          blockedWriter.start(
              () -> submitAndThen(thrown, new IllegalStateException("thrown on purpose"))));
      answers.add(blockedWriter.start(() -> submitAndThen(refused, null)));
      answers.add(blockedWriter.start(() -> store.submit(last)));
    }
    answers.get(0).get();
    assertThatThrownBy(() -> answers.get(1).get())
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("thrown on purpose");
    assertThatThrownBy(() -> answers.get(2).get())
        .cause()
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CHECK");
    answers.get(3).get();
    assertThat(isThere(SqliteTestTasks.first(first))).isTrue();
    assertThat(isThere(SqliteTestTasks.first(thrown))).isFalse();
    assertThat(isThere(SqliteTestTasks.first(refused))).isFalse();
    assertThat(isThere(SqliteTestTasks.first(last))).isTrue();
    assertThat(store.commits() - before).isEqualTo(2);
  }

  @Test
  void the_writer_outlives_an_error() {
    assertThatThrownBy(
            () ->
                store.write(
                    (sqliteSession, now) -> {
                      throw new StackOverflowError("on purpose");
                    }))
        .isInstanceOf(StoreException.class);
    Submission after = SqliteTestTasks.one();
    store.submit(after);
    assertThat(isThere(SqliteTestTasks.first(after))).isTrue();
  }

  @Test
  void an_interrupted_caller_still_learns_what_became_of_it() {
    Submission submission = SqliteTestTasks.one();
    Thread.currentThread().interrupt();
    store.submit(submission);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(isThere(SqliteTestTasks.first(submission))).isTrue();
  }

  @Test
  void closing_finishes_what_waits_and_refuses_what_comes_later() throws Exception {
    Submission waiting = SqliteTestTasks.one();
    Future<?> answer;
    try (BlockedWriter blockedWriter = new BlockedWriter(store)) {
      answer = blockedWriter.start(() -> store.submit(waiting));
      blockedWriter.release();
      store.close();
      answer.get();
    }
    assertThatThrownBy(() -> store.submit(SqliteTestTasks.one()))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store is closed");
    store = SqliteTestTasks.open(folder.resolve("tasks.db"));
    assertThat(isThere(SqliteTestTasks.first(waiting))).isTrue();
  }

  /** Submits, and then throws, or breaks a rule of the schema when there is nothing to throw. */
  private void submitAndThen(Submission submission, @Nullable RuntimeException failure) {
    store.write(
        (sqliteSession, now) -> {
          new SqliteSubmissionWriter(sqliteSession, now).submit(submission);
          if (failure != null) {
            throw failure;
          }
          return breakARule(sqliteSession, now);
        });
  }

  private static int breakARule(SqliteSession sqliteSession, long now) throws SQLException {
    return sqliteSession
        .statement("batch.insert")
        .number("shard", 0)
        .id("id", SqliteTestTasks.id())
        .number("now", now)
        .number("size", 0)
        .update();
  }

  private boolean isThere(UUID id) {
    return store.reader().find(id).isPresent();
  }
}
