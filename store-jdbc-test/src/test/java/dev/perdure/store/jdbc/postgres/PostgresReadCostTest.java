// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Limits how many blocks of our tables and indexes an operation reads, as counted by PostgreSQL.
 */
final class PostgresReadCostTest {

  private static final Duration AGE = Duration.ofDays(30);
  private static final int LARGE = 10_000;
  private static final int SMALL = 900;

  /** A row found by its key costs a few blocks, in the table and in each of its indexes. */
  private static final int BLOCKS_PER_TASK = 50;

  private final PostgresScenario postgresScenario = new PostgresScenario();
  private final BlockCounter counter = new BlockCounter(postgresScenario);

  @AfterEach
  void close() {
    postgresScenario.close();
  }

  /** Generic plans are the worst case. The reads of autovacuum would be counted too. */
  @BeforeEach
  void disable_autovacuum_and_force_generic_plans() throws SQLException {
    postgresScenario.store.close();
    counter.execute(
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

  private Submission submit(int tasks) throws SQLException {
    Submission submission = PostgresScenario.submission(tasks);
    use(store -> store.submit(submission));
    return submission;
  }

  /** Submits tasks that have ended one after the other, each with one attempt record. */
  private Submission submitEnded(int tasks) throws SQLException {
    Submission submission = submit(tasks);
    counter.execute(
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
    counter.execute(
        "UPDATE perdure_task_state SET state = 'pending', ended_at = NULL WHERE id = '%s'"
            .formatted(submission.tasks().getLast().id()));
  }

  private void use(Consumer<JdbcStore> work) throws SQLException {
    counter.use(work);
  }

  private long blocks(String tables, Consumer<JdbcStore> work) throws SQLException {
    return counter.blocks(tables, work);
  }

  private long blocks(Consumer<JdbcStore> work) throws SQLException {
    return blocks("task_state|task|batch|attempt", work);
  }

  private void advancePastRetention() {
    postgresScenario.clock.set(
        postgresScenario.clock.instant().plus(AGE).plus(Duration.ofMinutes(1)));
  }

  @Test
  void purging_a_large_batch_reads_few_blocks_per_task() throws SQLException {
    submitSmall();
    submitEnded(LARGE);
    advancePastRetention();
    AtomicInteger deleted = new AtomicInteger();
    long blocks = blocks(store -> deleteAllExpired(store, deleted));

    assertThat(deleted).hasValue(LARGE);
    assertThat(blocks).isLessThan((long) LARGE * BLOCKS_PER_TASK);
    try (Connection connection = postgresScenario.database.connect()) {
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
  void purging_the_deliveries_of_a_large_batch_reads_few_blocks_per_task() throws SQLException {
    counter.execute("ALTER TABLE perdure_delivery SET (autovacuum_enabled = false)");
    submitSmall();
    addDeliveries();
    Submission large = submitEnded(LARGE);
    addDeliveries();
    advancePastRetention();
    AtomicInteger deleted = new AtomicInteger();
    long blocks = blocks("delivery|batch", store -> deleteAllExpired(store, deleted));

    assertThat(deleted).hasValue(large.tasks().size());
    assertThat(blocks).isLessThan((long) LARGE * BLOCKS_PER_TASK);
    try (Connection connection = postgresScenario.database.connect()) {
      assertThat(PostgresScenario.number(connection, "SELECT count(*) FROM perdure_delivery"))
          .isEqualTo(SMALL);
    }
  }

  /** Adds a sent delivery to each task that has none. */
  private void addDeliveries() throws SQLException {
    counter.execute(
        """
        INSERT INTO perdure_delivery (shard, id, task, batch, trigger, request, state, epoch, attempt, created_at, retry_since, due_at, updated_at, ended_at)
        SELECT shard, id, id, batch, 'on_success', '{}', 'sent', 1, 0, due_at, due_at, due_at, due_at, due_at
        FROM perdure_task_state
        ON CONFLICT DO NOTHING
        """);
  }

  /** PostgreSQL estimates the size of a batch from the average; these batches keep it small. */
  private void submitSmall() throws SQLException {
    use(
        store -> {
          for (int i = 0; i < SMALL; i++) {
            store.submit(PostgresScenario.submission(1));
          }
        });
  }

  @Test
  void purging_many_small_batches_reads_few_blocks_per_task() throws SQLException {
    submitSmall();
    counter.execute("UPDATE perdure_task_state SET state = 'success', ended_at = due_at");
    advancePastRetention();
    AtomicInteger deleted = new AtomicInteger();
    long blocks = blocks(store -> deleted.set(store.maintenance().purge(AGE, 1_000)));

    assertThat(deleted).hasValue(SMALL);
    assertThat(blocks).isLessThan(SMALL * BLOCKS_PER_TASK);
  }

  private static void deleteAllExpired(JdbcStore store, AtomicInteger deleted) {
    int purged = store.maintenance().purge(AGE, 1_000);
    while (purged > 0) {
      deleted.addAndGet(purged);
      purged = store.maintenance().purge(AGE, 1_000);
    }
  }

  @Test
  void a_large_batch_with_a_live_task_is_checked_only_once() throws SQLException {
    revive(submitEnded(LARGE));
    advancePastRetention();
    assertThat(blocks(store -> store.maintenance().purge(AGE, 1_000)))
        .isLessThan((long) LARGE * BLOCKS_PER_TASK);

    postgresScenario.clock.set(postgresScenario.clock.instant().plus(Duration.ofMinutes(1)));
    assertThat(blocks(store -> store.maintenance().purge(AGE, 1_000)))
        .as("mostly the first page of every index, which the planner reads")
        .isLessThan(50);
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
  void a_late_page_reads_only_its_own_tasks_and_a_count_stops_at_its_limit() throws SQLException {
    String cursor = submit(LARGE).tasks().get(100).id().toString();

    assertThat(blocks(store -> store.reader().list(TaskFilter.all(), new PageRequest(50, cursor))))
        .isLessThan(50 * BLOCKS_PER_TASK);
    assertThat(blocks(store -> store.reader().count(TaskFilter.all(), 50)))
        .isLessThan(50 * BLOCKS_PER_TASK);
  }

  @Test
  void a_page_in_any_order_reads_only_its_own_tasks() throws SQLException {
    submitEnded(LARGE);
    Submission waiting = submit(LARGE);
    counter.execute(
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
  void counting_and_listing_retries_due_soon_reads_only_those_retries() throws SQLException {
    submit(LARGE);
    counter.execute(
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
  void listing_and_counting_paused_and_parked_tasks_reads_no_others() throws SQLException {
    Submission held = submit(10);
    submitEnded(LARGE);
    submit(LARGE);
    counter.execute(
        "UPDATE perdure_task_state SET hold = 1 WHERE batch = '%s'".formatted(held.batch()),
        "UPDATE perdure_task_state SET hold = 8 WHERE id = '%s'"
            .formatted(held.tasks().getFirst().id()));
    TaskFilter filter = TaskFilter.in(DisplayStatus.PAUSED, DisplayStatus.PARKED);

    for (TaskSort sort : List.of(TaskSort.NEWEST, TaskSort.OLDEST)) {
      TaskPage[] page = new TaskPage[1];
      assertThat(
              blocks(store -> page[0] = store.reader().list(filter, sort, PageRequest.first(50))))
          .isLessThan(10 * BLOCKS_PER_TASK);
      assertThat(page[0].tasks()).hasSize(10);
    }
    long[] counted = new long[1];
    assertThat(blocks(store -> counted[0] = store.reader().count(filter, 10_000)))
        .isLessThan(10 * BLOCKS_PER_TASK);
    assertThat(counted[0]).isEqualTo(10);
  }

  @Test
  void counting_live_tasks_reads_no_ended_ones() throws SQLException {
    submitEnded(LARGE);
    submit(10);
    Backlog[] backlog = new Backlog[1];
    long blocks = blocks(store -> backlog[0] = store.reader().backlog());

    assertThat(backlog[0].byStatus()).containsOnlyKeys(DisplayStatus.PENDING).containsValue(10L);
    assertThat(blocks).isLessThan(10 * BLOCKS_PER_TASK);
  }

  @Test
  void statistics_stop_at_their_limit_and_read_each_attempt_once() throws SQLException {
    submitEnded(LARGE);
    counter.execute(
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
    assertThat(found[0].byState()).as("the newest tasks").containsEntry(TaskState.SUCCESS, 10_000L);
  }

  @Test
  void maintenance_that_finds_nothing_reads_almost_nothing() throws SQLException {
    submitEnded(LARGE);
    submit(LARGE);

    assertThat(blocks(store -> store.maintenance().orphans(100))).isLessThan(30);
    assertThat(blocks(store -> store.maintenance().inactive(100))).isLessThan(30);
    assertThat(blocks(store -> store.maintenance().pastDeadline(100))).isLessThan(30);
  }

  @Test
  void maintenance_reads_only_the_tasks_that_it_finds() throws SQLException {
    submit(LARGE);
    TaskDefinition pastDeadline =
        new TaskDefinition(
            "a",
            null,
            "{}",
            null,
            null,
            null,
            null,
            null,
            postgresScenario.clock.instant(),
            0,
            null,
            null,
            null,
            null,
            null);
    use(store -> store.submit(PostgresScenario.submission(20, pastDeadline)));
    int[] found = new int[1];
    long blocks = blocks(store -> found[0] = store.maintenance().pastDeadline(20).tasks().size());
    assertThat(found[0]).isEqualTo(20);
    assertThat(blocks).isLessThan(20 * BLOCKS_PER_TASK);
  }

  @Test
  void a_change_reads_only_its_own_rows() throws SQLException {
    submit(LARGE);
    List<TaskChange> taskChanges = new ArrayList<>();
    use(
        store ->
            PostgresScenario.tasks(store.claim(postgresScenario.request(20))).stream()
                .map(postgresScenario::success)
                .forEach(taskChanges::add));
    List<WriteResult> writeResults = new ArrayList<>();
    long blocks = blocks(store -> writeResults.addAll(store.apply(taskChanges)));

    assertThat(writeResults).hasSize(20).containsOnly(WriteResult.written());
    assertThat(blocks).isLessThan(20 * BLOCKS_PER_TASK);
  }
}
