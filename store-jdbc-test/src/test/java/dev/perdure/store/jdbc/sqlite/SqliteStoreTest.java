// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskStore.Subscription;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.sql.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

@Timeout(60)
final class SqliteStoreTest {

  @TempDir Path folder;

  @Test
  void one_store_wakes_the_listeners_of_another_on_the_same_file() throws Exception {
    CountDownLatch woken = new CountDownLatch(1);
    CountDownLatch elsewhere = new CountDownLatch(1);
    try (SqliteStore one = SqliteTestTasks.open(folder.resolve("tasks.db"));
        SqliteStore two = SqliteTestTasks.open(folder.resolve("tasks.db"));
        SqliteStore other = SqliteTestTasks.open(folder.resolve("other.db"));
        Subscription subscription = two.listen(woken::countDown);
        Subscription otherFile = other.listen(elsewhere::countDown)) {
      assertThat(subscription).isNotEqualTo(otherFile);
      one.wake();
      assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(elsewhere.getCount()).isEqualTo(1);
    }
  }

  @Test
  void a_failing_or_closed_listener_does_not_affect_others() throws Exception {
    CountDownLatch woken = new CountDownLatch(2);
    try (SqliteStore store = SqliteTestTasks.open(folder.resolve("tasks.db"));
        Subscription failing =
            store.listen(
                () -> {
                  woken.countDown();
                  throw new IllegalStateException("test failure");
                });
        Subscription good = store.listen(woken::countDown)) {
      assertThat(failing).isNotEqualTo(good);
      store
          .listen(
              () -> {
                throw new AssertionError("notified after it was closed");
              })
          .close();
      store.wake();
      assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void an_application_can_have_its_own_tables_in_the_database() throws SQLException {
    Path file = folder.resolve("tasks.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String name : List.of("task", "task_state", "batch", "attempt", "node", "orders")) {
        statement.execute("CREATE TABLE " + name + " (id INTEGER)");
      }
    }
    try (SqliteStore store = SqliteTestTasks.open(file)) {
      assertThat(store.nodes().alive()).isEmpty();
    }
  }

  @Test
  void uses_the_database_clock_unless_a_clock_is_set() {
    try (SqliteStore store = SqliteTestTasks.open(folder.resolve("tasks.db"))) {
      Instant before = Instant.ofEpochMilli(System.currentTimeMillis()).minusMillis(1);
      Submission submission = SqliteTestTasks.one();
      store.submit(submission);
      Task task = store.reader().find(SqliteTestTasks.first(submission)).orElseThrow();
      assertThat(task.times().createdAt()).isBetween(before, Instant.now().plusMillis(1));
    }
  }

  @Test
  void opens_the_file_behind_a_data_source() throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + folder.resolve("tasks.db"));
    Submission submission = SqliteTestTasks.one();
    try (SqliteStore store = SqliteStore.open(source, SqliteTestTasks.settings())) {
      store.submit(submission);
    }
    try (SqliteStore store = SqliteTestTasks.open(folder.resolve("tasks.db"))) {
      assertThat(store.reader().find(SqliteTestTasks.first(submission))).isPresent();
    }
  }

  @Test
  void fails_if_a_lock_is_never_released() throws SQLException {
    Path file = folder.resolve("tasks.db");
    StoreSettings settings =
        new StoreSettings(1, null, 2, Duration.ofSeconds(30), Duration.ofMillis(300));
    try (SqliteStore store = SqliteStore.open("sqlite:" + file, settings);
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      Submission submission = SqliteTestTasks.one();
      assertThatThrownBy(() -> store.submit(submission))
          .isInstanceOfSatisfying(
              StoreException.class, busy -> assertThat(busy.unknown()).isFalse())
          .hasMessageContaining("PT0.3S");
      assertThat(store.reader().find(SqliteTestTasks.first(submission)))
          .as("reads continue")
          .isEmpty();
      statement.execute("ROLLBACK");
      store.submit(submission);
      assertThat(store.reader().find(SqliteTestTasks.first(submission))).isPresent();
    }
  }

  @Test
  void refuses_tables_of_another_version() throws SQLException {
    Path file = folder.resolve("tasks.db");
    JdbcStore.open("sqlite:" + file).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE perdure_schema SET checksum = 1 WHERE version = '1'");
    }

    assertThatThrownBy(() -> JdbcStore.open("sqlite:" + file))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.unavailable()).isFalse())
        .hasMessageContaining("tasks.db: the tables were created by another version of Perdure");
  }

  @Test
  void reports_a_file_that_is_not_a_database() throws IOException {
    Path file = folder.resolve("tasks.db");
    Files.writeString(file, "This is not a database, and never was one. ".repeat(50));
    assertThatThrownBy(() -> SqliteTestTasks.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("tasks.db");
  }
}
