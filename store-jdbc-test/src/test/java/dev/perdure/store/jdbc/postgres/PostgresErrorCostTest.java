// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.ErrorGroups;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits how many blocks the groups of errors read in a large table, with generic plans. */
final class PostgresErrorCostTest {

  private static final int TASKS = 20_000;
  private static final Duration DAY = Duration.ofDays(1);

  private final PostgresScenario scenario = new PostgresScenario();
  private final BlockCounter counter = new BlockCounter(scenario);

  @AfterEach
  void close() {
    scenario.close();
  }

  /** Three quarters of the tasks succeeded; the others failed with one of 20 errors, long ago. */
  @BeforeEach
  void fill() throws SQLException {
    scenario.store.close();
    counter.execute(
        "ALTER TABLE perdure_task_state SET (autovacuum_enabled = false)",
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
        UPDATE perdure_task_state s
        SET state = CASE WHEN n.place % 4 = 0 THEN 'failure' ELSE 'success' END,
            ended_at = due_at - INTERVAL '7 days',
            give_up_reason = CASE WHEN n.place % 4 = 0 THEN 'exhausted' END,
            error = CASE WHEN n.place % 4 = 0 THEN 'e' || n.place % 80 END
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM perdure_task_state) n
        WHERE s.id = n.id
        """);
  }

  private long blocks(ErrorQuery query, ErrorGroups[] found) throws SQLException {
    return counter.blocks(
        "task_state|task|batch|attempt", store -> found[0] = store.reader().errors(query));
  }

  @Test
  void errors_that_are_too_old_cost_a_few_blocks_each() throws SQLException {
    ErrorGroups[] found = new ErrorGroups[1];
    long blocks = blocks(ErrorQuery.of(DAY), found);
    assertThat(found[0].groups()).isEmpty();
    assertThat(blocks).isLessThan(1_000);
  }

  @Test
  void a_list_of_failed_tasks_reads_no_others() throws SQLException {
    counter.execute(
        """
        UPDATE perdure_task_state
        SET state = 'success', give_up_reason = NULL, error = NULL
        WHERE error <> 'e4'
        """);
    TaskFilter filter = TaskFilter.in(DisplayStatus.FAILURE).withError("e4");
    for (TaskSort sort : List.of(TaskSort.NEWEST, TaskSort.OLDEST)) {
      long blocks =
          counter.blocks(
              "task_state|task|batch|attempt",
              store -> {
                assertThat(store.reader().list(filter, sort, PageRequest.first(100)).tasks())
                    .hasSize(100);
                assertThat(store.reader().count(filter, 10_000, ScanLimit.DEFAULT))
                    .isEqualTo(new TaskCount(TASKS / 80, true));
              });
      assertThat(blocks).as("%s", sort).isLessThan(TASKS / 80 * 30);
    }
  }

  @Test
  void counting_reads_failed_tasks_only() throws SQLException {
    ErrorGroups[] found = new ErrorGroups[1];
    long blocks = blocks(ErrorQuery.of(DAY.multipliedBy(30)), found);
    assertThat(found[0].groups()).hasSize(20);
    assertThat(found[0].groups()).allMatch(group -> group.count() == TASKS / 4 / 20);
    assertThat(blocks).isLessThan(6_000);
  }
}
