// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits how many blocks a list or a count reads that finds nothing in a large table. */
final class PostgresScanCostTest {

  private static final int TASKS = 20_000;
  private static final ScanLimit LIMIT = ScanLimit.of(500);

  /**
   * A task costs an index entry, which is read twice, and its rows in two tables; with a text
   * search also the record of its last attempt.
   */
  private static final int BLOCKS_PER_TASK = 20;

  private static final long MAX_BLOCKS = 500L * BLOCKS_PER_TASK;

  private static final List<TaskFilter> NO_MATCH =
      List.of(
          TaskFilter.all().withKind("nothing"),
          TaskFilter.all().withText("nothing"),
          TaskFilter.all().withStrategy("nothing"));

  private final PostgresScenario scenario = new PostgresScenario();
  private final BlockCounter counter = new BlockCounter(scenario);

  @AfterEach
  void close() {
    scenario.close();
  }

  /** Half of the tasks have ended, and the others wait for a retry. Generic plans are the worst. */
  @BeforeEach
  void fill() throws SQLException {
    scenario.store.close();
    counter.execute(
        "ALTER TABLE perdure_task_state SET (autovacuum_enabled = false)",
        "ALTER TABLE perdure_task SET (autovacuum_enabled = false)",
        "ALTER TABLE perdure_attempt SET (autovacuum_enabled = false)",
        """
        DO $$ BEGIN
          EXECUTE 'ALTER DATABASE ' || current_database()
            || ' SET plan_cache_mode = force_generic_plan';
        END $$
        """);
    counter.use(
        store -> {
          store.submit(PostgresScenario.submission(TASKS / 2));
          store.submit(PostgresScenario.submission(TASKS / 2));
        });
    counter.execute(
        """
        INSERT INTO perdure_attempt (shard, task, epoch, number, ended_at, outcome, status, delay_ms)
        SELECT shard, id, 1, 0, due_at, 'failure', 0, 1000
        FROM perdure_task_state
        """,
        """
        UPDATE perdure_task_state s
        SET state = CASE WHEN n.place % 2 = 0 THEN 'success' ELSE 'retry_pending' END,
            ended_at = CASE WHEN n.place % 2 = 0 THEN due_at + n.place * INTERVAL '1 millisecond' END,
            due_at = due_at + n.place * INTERVAL '1 second',
            claim_at = claim_at + n.place * INTERVAL '1 second',
            attempt = 1, epoch = 1,
            failure_kind = CASE WHEN n.place % 2 = 1 THEN 'explicit' END
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM perdure_task_state) n
        WHERE s.id = n.id
        """);
  }

  private long blocks(Consumer<JdbcStore> work) throws SQLException {
    return counter.blocks("task_state|task|batch|attempt", work);
  }

  @Test
  void a_list_without_matches_reads_only_the_tasks_within_its_limit() throws SQLException {
    PageRequest page = PageRequest.first(50).withScanLimit(LIMIT);
    for (TaskSort sort : TaskSort.values()) {
      for (TaskFilter filter : NO_MATCH) {
        TaskPage[] found = new TaskPage[1];
        long blocks = blocks(store -> found[0] = store.reader().list(filter, sort, page));

        assertThat(found[0].tasks()).isEmpty();
        assertThat(found[0].lookedAt()).isEqualTo(500);
        assertThat(blocks).as("%s %s", sort, filter).isLessThan(MAX_BLOCKS);
      }
    }
  }

  @Test
  void a_count_without_matches_reads_only_the_tasks_within_its_limit() throws SQLException {
    for (TaskFilter filter : NO_MATCH) {
      TaskCount[] counted = new TaskCount[1];
      long blocks = blocks(store -> counted[0] = store.reader().count(filter, 10_000, LIMIT));

      assertThat(counted[0]).isEqualTo(new TaskCount(0, false));
      assertThat(blocks).as("%s", filter).isLessThan(MAX_BLOCKS);
    }
  }

  @Test
  void a_count_of_live_tasks_reads_no_ended_ones() throws SQLException {
    counter.execute(
        """
        UPDATE perdure_task_state s
        SET state = CASE WHEN n.place <= 5 THEN 'retry_pending' ELSE 'success' END,
            ended_at = CASE WHEN n.place <= 5 THEN NULL ELSE due_at END,
            failure_kind = CASE WHEN n.place <= 5 THEN 'explicit' END
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM perdure_task_state) n
        WHERE s.id = n.id
        """);
    TaskCount[] counted = new TaskCount[1];
    long blocks =
        blocks(
            store ->
                counted[0] =
                    store
                        .reader()
                        .count(
                            TaskFilter.in(DisplayStatus.RUNNING, DisplayStatus.RETRY_PENDING),
                            10_000,
                            ScanLimit.DEFAULT));

    assertThat(counted[0]).isEqualTo(new TaskCount(5, true));
    assertThat(blocks).isLessThan(500);
  }
}
