// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
import java.nio.file.Path;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.ProgressHandler;

/** Compares the virtual machine steps that SQLite needs with few and with many other tasks. */
@Timeout(60)
final class SqliteReadCostTest {

  private static final Duration AGE = Duration.ofDays(30);
  private static final int FEW = 50;
  private static final int MANY = 5_000;

  @TempDir Path folder;
  private final FakeClock clock = new FakeClock();
  private int files;

  /** An action on a store that contains this many other tasks. */
  @FunctionalInterface
  private interface Setup {
    Runnable prepare(SqliteStore store, int others);
  }

  private long steps(boolean writing, int others, Setup setup) {
    Steps steps = new Steps();
    try (SqliteStore store =
        SqliteStore.open(
            "sqlite:" + folder.resolve("tasks" + files++ + ".db"),
            SqliteFixture.settings(clock, 1))) {
      Runnable action = setup.prepare(store, others);
      SqliteOperation<Boolean> count =
          (session, now) -> {
            ProgressHandler.setHandler(session.connection(), 1, steps);
            return true;
          };
      // The connection used last is used next.
      boolean counting = writing ? store.write(count) : store.read(count);
      assertThat(counting).isTrue();
      long before = steps.count.get();
      action.run();
      return steps.count.get() - before;
    }
  }

  private void assertIndependentOfOthers(boolean writing, Setup setup) {
    long few = steps(writing, FEW, setup);
    assertThat(few).isPositive();
    assertThat(steps(writing, MANY, setup)).isLessThan(2 * few);
  }

  private static final class Steps extends ProgressHandler {

    private final AtomicLong count = new AtomicLong();

    @Override
    protected int progress() {
      count.incrementAndGet();
      return 0;
    }
  }

  private static void end(SqliteStore store) {
    store.write(
        (session, now) -> {
          try (Statement statement = session.connection().createStatement()) {
            return statement.executeUpdate(
                "UPDATE perdure_task_state SET state = 'success', ended_at = due_at");
          }
        });
  }

  @Test
  void listing_a_batch_reads_only_that_batch() {
    assertIndependentOfOthers(
        false,
        (store, others) -> {
          TaskFilter filter = batchAmong(store, others);
          return () -> store.reader().list(filter, PageRequest.first(50));
        });
  }

  @Test
  void counting_a_batch_reads_only_that_batch() {
    assertIndependentOfOthers(
        false,
        (store, others) -> {
          TaskFilter filter = batchAmong(store, others);
          return () -> store.reader().count(filter, 100_000);
        });
  }

  private static TaskFilter batchAmong(SqliteStore store, int others) {
    store.submit(SqliteTestTasks.many(others / 2));
    Submission wanted = SqliteTestTasks.many(5);
    store.submit(wanted);
    store.submit(SqliteTestTasks.many(others / 2));
    return TaskFilter.all().withBatch(wanted.batch());
  }

  @Test
  void counting_live_tasks_reads_no_ended_ones() {
    assertIndependentOfOthers(
        false,
        (store, others) -> {
          store.submit(SqliteTestTasks.many(others));
          end(store);
          store.submit(SqliteTestTasks.many(5));
          return () -> store.reader().backlog();
        });
  }

  @Test
  void listing_and_counting_paused_tasks_reads_no_others() {
    TaskFilter held = TaskFilter.in(DisplayStatus.PAUSED, DisplayStatus.PARKED);
    assertIndependentOfOthers(
        false,
        (store, others) -> {
          store.submit(SqliteTestTasks.many(5));
          hold(store);
          store.submit(SqliteTestTasks.many(others));
          return () -> {
            assertThat(store.reader().list(held, PageRequest.first(50)).tasks()).hasSize(5);
            assertThat(store.reader().list(held, TaskSort.OLDEST, PageRequest.first(50)).tasks())
                .hasSize(5);
            assertThat(store.reader().count(held, 100)).isEqualTo(5);
          };
        });
  }

  @Test
  void a_search_without_matches_looks_at_no_more_tasks_than_its_limit() {
    List<TaskFilter> filters =
        List.of(
            TaskFilter.all().withKind("nothing"),
            TaskFilter.all().withText("nothing"),
            TaskFilter.in(TaskState.CANCELED));
    ScanLimit limit = ScanLimit.of(FEW / 2);
    for (TaskFilter filter : filters) {
      for (TaskSort sort : List.of(TaskSort.NEWEST, TaskSort.OLDEST, TaskSort.LAST_ENDED)) {
        assertIndependentOfOthers(
            false,
            (store, others) -> {
              store.submit(SqliteTestTasks.many(others));
              end(store);
              PageRequest page = PageRequest.first(50).withScanLimit(limit);
              return () -> {
                assertThat(store.reader().list(filter, sort, page).lookedAt()).isEqualTo(FEW / 2);
                assertThat(store.reader().count(filter, 100, limit).exact()).isFalse();
              };
            });
      }
    }
  }

  @Test
  void a_count_of_live_tasks_finds_old_ones_behind_many_ended_ones() {
    assertIndependentOfOthers(
        false,
        (store, others) -> {
          store.submit(SqliteTestTasks.many(others));
          end(store);
          store.submit(SqliteTestTasks.many(5));
          store.submit(SqliteTestTasks.many(others));
          endNewest(store, others);
          return () ->
              assertThat(
                      store
                          .reader()
                          .count(TaskFilter.in(DisplayStatus.PENDING), 100, ScanLimit.of(10)))
                  .isEqualTo(new TaskCount(5, true));
        });
  }

  private static void endNewest(SqliteStore store, int count) {
    store.write(
        (session, now) -> {
          try (Statement statement = session.connection().createStatement()) {
            return statement.executeUpdate(
                "UPDATE perdure_task_state SET state = 'success', ended_at = due_at WHERE id IN (SELECT id FROM perdure_task_state ORDER BY id DESC LIMIT "
                    + count
                    + ")");
          }
        });
  }

  private static void hold(SqliteStore store) {
    store.write(
        (session, now) -> {
          try (Statement statement = session.connection().createStatement()) {
            return statement.executeUpdate("UPDATE perdure_task_state SET hold = 8");
          }
        });
  }

  @Test
  void retention_searches_on_read_connections_only() {
    assertIndependentOfOthers(
        true,
        (store, others) -> {
          for (int i = 0; i < others / 10; i++) {
            store.submit(SqliteTestTasks.many(10));
          }
          end(store);
          clock.advance(AGE.plusSeconds(1));
          return () -> assertThat(store.maintenance().purge(AGE, 20)).isEqualTo(20);
        });
  }

  @Test
  void retention_does_not_use_the_writer_if_nothing_has_expired() throws Exception {
    SqliteStore store = SqliteTestTasks.open(folder.resolve("tasks.db"));
    store.submit(SqliteTestTasks.many(10));
    // Closed in this order: an operation that waits for the writer ends when the writer is
    // unblocked.
    try (store;
        ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
        BlockedWriter blocked = new BlockedWriter(store)) {
      Future<Integer> deleted = others.submit(() -> store.maintenance().purge(AGE, 100));
      assertThat(deleted.get(20, TimeUnit.SECONDS)).isZero();
      blocked.release();
    }
  }
}
