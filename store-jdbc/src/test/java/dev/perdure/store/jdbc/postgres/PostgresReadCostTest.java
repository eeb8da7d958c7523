// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.Backlog;
import dev.perdure.engine.spi.PageRequest;
import dev.perdure.engine.spi.StoreStatistics;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.TaskFilter;
import dev.perdure.engine.spi.TaskPage;
import dev.perdure.engine.spi.TaskSort;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.Wiring;
import dev.perdure.store.jdbc.JdbcStore;
import dev.perdure.store.jdbc.JdbcStoreBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many blocks operations read, according to PostgreSQL's own statistics. */
final class PostgresReadCostTest {

  private static final Duration AGE = Duration.ofDays(30);
  private static final int LARGE = 10_000;
  private static final int SMALL = 900;

  /** Finding a row by its key reads a few blocks of the table and of each index. */
  private static final int BLOCKS_PER_TASK = 50;

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  /**
   * Uses generic plans, which are the worst case, and disables autovacuum, whose reads would be
   * counted.
   */
  @BeforeEach
  void use_generic_plans_without_autovacuum() throws SQLException {
    scenario.store.close();
    scenario.execute(
        "ALTER TABLE perdure_task_state SET (autovacuum_enabled = false)",
        "ALTER TABLE perdure_task SET (autovacuum_enabled = false)",
        "ALTER TABLE perdure_batch SET (autovacuum_enabled = false)",
        "ALTER TABLE perdure_attempt SET (autovacuum_enabled = false)",
        """
        DO $$ BEGIN
          EXECUTE 'ALTER DATABASE ' || current_database()
            || ' SET plan_cache_mode = force_generic_plan';
        END $$
        """);
  }

  private Submission submit(int tasks) {
    Submission submission = PostgresScenario.submission(tasks);
    use(store -> store.submit(submission));
    return submission;
  }

  /** Submits tasks that have ended one after the other, each with an attempt record. */
  private Submission ended(int tasks) throws SQLException {
    Submission submission = submit(tasks);
    scenario.execute(
        """
        INSERT INTO perdure_attempt (shard, task, epoch, number, ended_at, outcome, status, stack, delay_ms)
        SELECT shard, id, 1, 0, due_at, 'failure', 0, repeat('at ', 500), 1000
        FROM perdure_task_state
        WHERE batch = '%1$s'
        """
            .formatted(submission.batch()),
        """
        UPDATE perdure_task_state s
        SET state = 'success', attempt = 1, epoch = 1,
            ended_at = due_at + numbered.place * INTERVAL '1 millisecond'
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM perdure_task_state) numbered
        WHERE s.batch = '%1$s' AND s.id = numbered.id
        """
            .formatted(submission.batch()));
    return submission;
  }

  private void revive(Submission submission) throws SQLException {
    scenario.execute(
        "UPDATE perdure_task_state SET state = 'pending', ended_at = NULL WHERE id = '%s'"
            .formatted(submission.tasks().getLast().id()));
  }

  /** Uses a new store each time, because a connection reports its statistics when it ends. */
  private void use(Consumer<JdbcStore> action) {
    JdbcStoreBuilder alone = JdbcStore.builder().url(scenario.database.url()).clock(scenario.clock);
    try (JdbcStore store = alone.poolSize(1).statementTimeout(Duration.ofSeconds(60)).open()) {
      action.accept(store);
    }
  }

  private long blocks(String tables, Consumer<JdbcStore> action) throws SQLException {
    scenario.execute("VACUUM ANALYZE");
    long before = counted(tables);
    use(action);
    return counted(tables) - before;
  }

  private long blocks(Consumer<JdbcStore> action) throws SQLException {
    return blocks("task_state|task|batch|attempt", action);
  }

  private long counted(String tables) throws SQLException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    try (Connection connection = scenario.database.connect()) {
      while (others(connection) > 0) {
        LockSupport.parkNanos(1_000_000);
        assertThat(System.nanoTime()).as("a connection stays open").isLessThan(end);
      }
    }
    try (Connection connection = scenario.database.connect()) {
      return PostgresScenario.number(
          connection,
          """
          SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
          FROM pg_statio_user_tables WHERE relname ~ '^perdure_(%s)$'
          """
              .formatted(tables));
    }
  }

  private static long others(Connection connection) throws SQLException {
    return PostgresScenario.number(
        connection,
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """);
  }

  private void advancePastRetention() {
    scenario.clock.set(scenario.clock.instant().plus(AGE).plus(Duration.ofMinutes(1)));
  }

  @Test
  void a_large_batch_is_deleted_by_primary_key() throws SQLException {
    submitSmall();
    ended(LARGE);
    advancePastRetention();
    AtomicInteger deleted = new AtomicInteger();
    long blocks = blocks(store -> deleteAllExpired(store, deleted));

    assertThat(deleted).hasValue(LARGE);
    assertThat(blocks).isLessThan((long) LARGE * BLOCKS_PER_TASK);
    try (Connection connection = scenario.database.connect()) {
      for (String table : List.of("batch", "task", "task_state")) {
        assertThat(PostgresScenario.number(connection, "SELECT count(*) FROM perdure_" + table))
            .as(table)
            .isEqualTo(SMALL);
      }
      assertThat(PostgresScenario.number(connection, "SELECT count(*) FROM perdure_attempt"))
          .isZero();
    }
  }

  @Test
  void the_deliveries_of_a_large_batch_are_deleted_by_index() throws SQLException {
    scenario.execute("ALTER TABLE perdure_delivery SET (autovacuum_enabled = false)");
    submitSmall();
    deliver();
    Submission large = ended(LARGE);
    deliver();
    advancePastRetention();
    AtomicInteger deleted = new AtomicInteger();
    long blocks = blocks("delivery|batch", store -> deleteAllExpired(store, deleted));

    assertThat(deleted).hasValue(large.tasks().size());
    assertThat(blocks).isLessThan((long) LARGE * BLOCKS_PER_TASK);
    try (Connection connection = scenario.database.connect()) {
      assertThat(PostgresScenario.number(connection, "SELECT count(*) FROM perdure_delivery"))
          .isEqualTo(SMALL);
    }
  }

  /** Inserts a sent delivery for each task that has none. */
  private void deliver() throws SQLException {
    scenario.execute(
        """
        INSERT INTO perdure_delivery (shard, id, task, batch, trigger, request, state, epoch, attempt, created_at, retry_since, due_at, updated_at, ended_at)
        SELECT shard, id, id, batch, 'on_success', '{}', 'sent', 1, 0, due_at, due_at, due_at, due_at, due_at
        FROM perdure_task_state
        ON CONFLICT DO NOTHING
        """);
  }

  /** Adds small batches, because PostgreSQL estimates the size of a batch from the average. */
  private void submitSmall() {
    use(
        store -> {
          for (int i = 0; i < SMALL; i++) {
            store.submit(PostgresScenario.submission(1));
          }
        });
  }

  @Test
  void many_small_batches_are_deleted_together() throws SQLException {
    submitSmall();
    scenario.execute("UPDATE perdure_task_state SET state = 'success', ended_at = due_at");
    advancePastRetention();
    AtomicInteger deleted = new AtomicInteger();
    long blocks = blocks(store -> deleted.set(store.maintenance().purge(AGE, 1_000)));

    assertThat(deleted).hasValue(SMALL);
    assertThat(blocks).isLessThan(SMALL * BLOCKS_PER_TASK);
  }

  private static void deleteAllExpired(JdbcStore store, AtomicInteger deleted) {
    int some = store.maintenance().purge(AGE, 1_000);
    while (some > 0) {
      deleted.addAndGet(some);
      some = store.maintenance().purge(AGE, 1_000);
    }
  }

  @Test
  void a_large_active_batch_is_checked_only_once() throws SQLException {
    revive(ended(LARGE));
    advancePastRetention();
    assertThat(blocks(store -> store.maintenance().purge(AGE, 1_000)))
        .isLessThan((long) LARGE * BLOCKS_PER_TASK);

    scenario.clock.set(scenario.clock.instant().plus(Duration.ofMinutes(1)));
    assertThat(blocks(store -> store.maintenance().purge(AGE, 1_000))).isLessThan(30);
  }

  @Test
  void listing_and_counting_a_batch_reads_only_that_batch() throws SQLException {
    submit(LARGE);
    Submission wanted = submit(10);
    submit(LARGE);
    TaskFilter filter = TaskFilter.all().withBatch(wanted.batch());

    assertThat(blocks(store -> store.reader().list(filter, PageRequest.first(50))))
        .isLessThan(10 * BLOCKS_PER_TASK);
    assertThat(blocks(store -> store.reader().count(filter, 1_000)))
        .isLessThan(10 * BLOCKS_PER_TASK);
  }

  @Test
  void a_late_page_costs_no_more_and_a_count_stops_at_its_limit() throws SQLException {
    String back = submit(LARGE).tasks().get(100).id().toString();

    assertThat(blocks(store -> store.reader().list(TaskFilter.all(), new PageRequest(50, back))))
        .isLessThan(50 * BLOCKS_PER_TASK);
    assertThat(blocks(store -> store.reader().count(TaskFilter.all(), 50)))
        .isLessThan(50 * BLOCKS_PER_TASK);
  }

  @Test
  void a_page_in_any_order_reads_only_its_rows() throws SQLException {
    ended(LARGE);
    Submission waiting = submit(LARGE);
    scenario.execute(
        """
        UPDATE perdure_task_state s
        SET state = 'retry_pending', attempt = 1, failure_kind = 'explicit',
            due_at = s.due_at + numbered.place * INTERVAL '1 second',
            claim_at = s.claim_at + numbered.place * INTERVAL '1 second'
        FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM perdure_task_state) numbered
        WHERE s.batch = '%s' AND s.id = numbered.id
        """
            .formatted(waiting.batch()));

    for (TaskSort sort : TaskSort.values()) {
      TaskPage[] pages = new TaskPage[2];
      use(
          store ->
              pages[0] = store.reader().list(TaskFilter.all(), sort, PageRequest.first(1_000)));
      PageRequest second = new PageRequest(50, pages[0].nextCursor());
      long blocks = blocks(store -> pages[1] = store.reader().list(TaskFilter.all(), sort, second));

      assertThat(pages[1].tasks()).as("%s", sort).hasSize(50);
      assertThat(blocks).as("%s", sort).isLessThan(50 * BLOCKS_PER_TASK);
    }
  }

  @Test
  void counting_retries_due_soon_reads_only_those() throws SQLException {
    submit(LARGE);
    scenario.execute(
        """
        UPDATE perdure_task_state s
        SET state = 'retry_pending', due_at = s.due_at + numbered.place * INTERVAL '1 second',
            claim_at = s.claim_at + numbered.place * INTERVAL '1 second'
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM perdure_task_state) numbered
        WHERE s.id = numbered.id
        """);
    TaskFilter soon = TaskFilter.in(TaskState.RETRY_PENDING).withDueWithin(Duration.ofSeconds(20));
    long[] counted = new long[1];
    long blocks = blocks(store -> counted[0] = store.reader().count(soon, 10_000));

    assertThat(counted[0]).isEqualTo(20);
    assertThat(blocks).isLessThan(20 * BLOCKS_PER_TASK);
    assertThat(
            blocks(
                store -> store.reader().list(soon, TaskSort.NEXT_RETRY, PageRequest.first(1_000))))
        .isLessThan(20 * BLOCKS_PER_TASK);
  }

  @Test
  void counting_live_tasks_reads_no_ended_ones() throws SQLException {
    ended(LARGE);
    submit(10);
    Backlog[] backlog = new Backlog[1];
    long blocks = blocks(store -> backlog[0] = store.reader().backlog());

    assertThat(backlog[0].byState()).containsOnlyKeys(TaskState.PENDING).containsValue(10L);
    assertThat(blocks).isLessThan(10 * BLOCKS_PER_TASK);
  }

  @Test
  void statistics_are_limited_and_read_each_attempt_once() throws SQLException {
    ended(LARGE);
    scenario.execute(
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, ended_at, updated_at, success, failures)
        SELECT
          0, CAST(lpad(to_hex(n), 32, '0') AS uuid), s.batch, 0, 'a', 0, 'canceled', 0, s.due_at,
          s.due_at, 0, 0, 0, 0, s.due_at, 0, s.due_at, s.due_at, 0, 0
        FROM generate_series(1, 100000) AS n, (SELECT batch, due_at FROM perdure_task_state LIMIT 1) s
        """);
    StoreStatistics[] found = new StoreStatistics[1];
    long attempts = blocks("attempt", store -> found[0] = store.reader().statistics());

    assertThat(attempts).isLessThan(2L * LARGE);
    assertThat(found[0].byState().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(StoreStatistics.MAX_COUNTED);
    assertThat(found[0].byState()).as("the newest").containsEntry(TaskState.SUCCESS, 10_000L);
  }

  @Test
  void maintenance_that_finds_nothing_reads_almost_nothing() throws SQLException {
    ended(LARGE);
    submit(LARGE);

    assertThat(blocks(store -> store.maintenance().orphans(100))).isLessThan(30);
    assertThat(blocks(store -> store.maintenance().inactive(100))).isLessThan(30);
    assertThat(blocks(store -> store.maintenance().pastDeadline(100))).isLessThan(30);
  }

  @Test
  void maintenance_reads_only_what_it_finds() throws SQLException {
    submit(LARGE);
    TaskDefinition mortal =
        new TaskDefinition(
            "a",
            null,
            "{}",
            null,
            null,
            null,
            null,
            scenario.clock.instant(),
            0,
            null,
            null,
            Wiring.NONE);
    use(store -> store.submit(PostgresScenario.submission(20, mortal)));
    int[] found = new int[1];
    long blocks = blocks(store -> found[0] = store.maintenance().pastDeadline(20).tasks().size());
    assertThat(found[0]).isEqualTo(20);
    assertThat(blocks).isLessThan(20 * BLOCKS_PER_TASK);
  }

  @Test
  void a_change_reads_only_its_own_rows() throws SQLException {
    submit(LARGE);
    List<TaskChange> changes = new ArrayList<>();
    use(
        store ->
            PostgresScenario.tasks(store.claim(scenario.request(20))).stream()
                .map(scenario::success)
                .forEach(changes::add));
    List<WriteResult> results = new ArrayList<>();
    long blocks = blocks(store -> results.addAll(store.apply(changes)));

    assertThat(results).hasSize(20).containsOnly(WriteResult.written());
    assertThat(blocks).isLessThan(20 * BLOCKS_PER_TASK);
  }
}
