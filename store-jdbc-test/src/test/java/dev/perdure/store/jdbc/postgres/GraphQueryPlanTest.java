// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.store.jdbc.sql.SqlStatement;
import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks with EXPLAIN that the statements for graphs and batches find their rows through indexes,
 * with the generic plan that PostgreSQL keeps for a prepared statement.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GraphQueryPlanTest {

  private static final int ITEMS = 500;
  private static final String BATCH_OF_MANY_RUNS = "00000000-0000-0000-0000-000000000777";
  private static final Pattern TASKS_READ =
      Pattern.compile("perdure_task_key on .*rows=([0-9.]+) loops=([0-9]+)");

  private final PostgresScenario scenario = new PostgresScenario();

  @BeforeAll
  void insert() throws SQLException {
    scenario.execute(
        """
        INSERT INTO perdure_batch (shard, id, created_at, size, last_active_at)
        SELECT 0, CAST(lpad(to_hex(b), 32, '0') AS uuid), now(), 20, now()
        FROM generate_series(1, 1000) b
        """,
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, success, failures)
        SELECT
          0, CAST(lpad(to_hex(t), 32, '0') AS uuid),
          CAST(lpad(to_hex(t / 20), 32, '0') AS uuid), 0, 'a', 0, 'waiting', 0, now(), now(), 0, 0,
          0, 0, now(), 1, now(), 0, 0
        FROM generate_series(1, 20000) t
        """,
        """
        INSERT INTO perdure_task (shard, batch, id, created_at, payload)
        SELECT 0, s.batch, s.id, now(), '{}' FROM perdure_task_state s
        """,
        """
        INSERT INTO perdure_dependency (shard, parent, child, required, deferred)
        SELECT
          0, CAST(lpad(to_hex(t), 32, '0') AS uuid), CAST(lpad(to_hex(t + 1), 32, '0') AS uuid),
          true, false
        FROM generate_series(1, 19999) t
        """,
        """
        INSERT INTO perdure_propagation_event (shard, task, created_at)
        SELECT 0, s.id, now() FROM perdure_task_state s
        """,
        """
        INSERT INTO perdure_run (shard, batch, run, started_at, open)
        SELECT 0, b.id, 0, now(), 20 FROM perdure_batch b
        """);
    insertFanIn();
    insertRuns();
    scenario.execute("VACUUM ANALYZE");
  }

  /** A batch in which one task depends on all others. */
  private void insertFanIn() throws SQLException {
    scenario.execute(
        """
        INSERT INTO perdure_task (shard, batch, id, created_at, payload, local_id)
        SELECT
          0, '00000000-0000-0000-0000-00000000ffff', CAST('ff' || lpad(to_hex(t), 30, '0') AS uuid),
          now(), '{}', 'task ' || t
        FROM generate_series(1, 100001) t
        """,
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, success, failures)
        SELECT
          0, t.id, t.batch, 0, 'a', 0, 'pending', 0, now(), now(), 0, 0, 0, 0, now(), 0, now(), 0, 0
        FROM perdure_task t
        WHERE t.local_id IS NOT NULL
        """,
        """
        INSERT INTO perdure_dependency (shard, parent, child, required, deferred)
        SELECT 0, t.id, CAST('ff' || lpad(to_hex(100001), 30, '0') AS uuid), true, false
        FROM perdure_task t
        WHERE t.local_id IS NOT NULL AND t.local_id <> 'task 100001'
        """);
  }

  /** A batch that has run 100 times, with 20 tasks each time. */
  private void insertRuns() throws SQLException {
    scenario.execute(
        """
        INSERT INTO perdure_batch (shard, id, created_at, size, last_active_at, run, first_task)
        SELECT
          0, CAST('%1$s' AS uuid), now(), 2000, now(), 99,
          CAST(lpad(to_hex(1000000 + 99 * 20), 32, '0') AS uuid)
        """
            .formatted(BATCH_OF_MANY_RUNS),
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, ended_at, success, failures)
        SELECT
          0, CAST(lpad(to_hex(1000000 + t), 32, '0') AS uuid), CAST('%1$s' AS uuid), t / 20, 'a',
          0, 'success', 0, now(), now(), 0, 0, 0, 0, now(), 0, now(), now(), 0, 0
        FROM generate_series(0, 1999) t
        """
            .formatted(BATCH_OF_MANY_RUNS),
        """
        INSERT INTO perdure_task (shard, batch, id, created_at, payload)
        SELECT 0, s.batch, s.id, now(), '{}' FROM perdure_task_state s WHERE s.batch = '%1$s'
        """
            .formatted(BATCH_OF_MANY_RUNS),
        """
        INSERT INTO perdure_run (shard, batch, run, started_at, open, ended_at, outcome)
        SELECT
          0, '%1$s', r, now(), 0, CASE WHEN r < 99 THEN now() END,
          CASE WHEN r < 99 THEN 'failure' END
        FROM generate_series(0, 99) r
        """
            .formatted(BATCH_OF_MANY_RUNS));
  }

  @AfterAll
  void close() {
    scenario.close();
  }

  @ParameterizedTest
  @CsvSource({
    "dependency.disagreeing, perdure_dependency_key",
    "dependency.doomed, perdure_dependency_key",
    "dependency.dead_ends, perdure_dependency_child",
    "dependency.set_outcome, perdure_dependency_",
    "dependency.move_deferred, perdure_dependency_key",
    "dependency.waive, perdure_dependency_child",
    "dependency.list_of_batch, perdure_dependency_child",
    "dependency.parents, perdure_dependency_child",
    "dependency.named_parents, perdure_task_local_id",
    "propagation_event.any, perdure_propagation_event",
    "propagation_event.take, perdure_propagation_event_key",
    "propagation_event.delete, perdure_propagation_event_key",
    "run.list, perdure_run_key",
    "run.lock, perdure_run_key",
    "run.add_open, perdure_run_key",
    "run.complete, perdure_run_complete",
    "run.tasks, perdure_task_state_key",
    "run.announce_end, perdure_task_state_key",
    "run.end, perdure_task_state_key",
    "run.stop, perdure_run_key",
    "run.due, perdure_run_next",
    "run.tasks_to_copy, perdure_task_state_key",
    "run.dependencies_to_copy, perdure_dependency_child",
    "run.first_run_size, perdure_task_key",
    "run.all_tasks, perdure_task_state_key",
    "run.all_dependencies, perdure_dependency_child",
    "run.failed_holder, perdure_task_state_key",
    "graph.lock, perdure_task_state_key",
    "graph.copy, perdure_task_state_key",
    "graph.set_counted, perdure_task_state_key",
    "task.copy, perdure_task_key",
    "batch.find, perdure_batch_key",
    "batch.list, perdure_batch_key",
    "batch.list, perdure_run_key",
    "batch.statistics, perdure_task_key",
    "batch.lock, perdure_batch_key",
    "batch.stop, perdure_batch_key",
    "batch.unstop, perdure_batch_key",
    "batch.delete, perdure_dependency_child"
  })
  void reads_an_index(String name, String index) throws SQLException {
    String plan = plan(name);
    assertThat(plan).contains(index).doesNotContain("Hash Join").doesNotContain("Merge Join");
    if (!name.equals("propagation_event.any")) { // It reads one row, and any will do.
      assertThat(plan).doesNotContainPattern("Seq Scan on perdure_(task|dep|prop|batch|run)");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "batch.statistics",
        "dependency.list_of_batch",
        "run.tasks",
        "run.end",
        "run.announce_end",
        "run.tasks_to_copy",
        "run.dependencies_to_copy"
      })
  void reads_the_tasks_of_the_current_run_only(String name) throws SQLException {
    Matcher read = TASKS_READ.matcher(plan(name, "ANALYZE, TIMING OFF, SUMMARY OFF, "));
    assertThat(read.find()).as("tasks are read by batch").isTrue();
    assertThat(Double.parseDouble(read.group(1)) * Integer.parseInt(read.group(2))).isEqualTo(20);
  }

  private String plan(String name) throws SQLException {
    return plan(name, "");
  }

  /** Explains the statement; with ANALYZE it is also executed, for the batch of many runs. */
  private String plan(String name, String options) throws SQLException {
    SqlStatement statement = SqlStatements.load("postgres").get(name);
    String arguments =
        statement.parameters().stream()
            .map(parameter -> options.isEmpty() ? argument(parameter) : actual(parameter))
            .collect(Collectors.joining(", "));
    try (Connection connection = scenario.database.begin();
        Statement explain = connection.createStatement()) {
      explain.execute("SET plan_cache_mode = force_generic_plan");
      explain.execute("PREPARE graph AS " + numbered(statement));
      try (ResultSet rows =
          explain.executeQuery(
              "EXPLAIN (%sCOSTS OFF) EXECUTE graph (%s)".formatted(options, arguments))) {
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
          text.append(rows.getString(1)).append('\n');
        }
        return text.toString();
      }
    }
  }

  private static String actual(String parameter) {
    return switch (parameter) {
      case "run" -> "99";
      case "version" -> "0";
      case "outcome" -> "'success'";
      case "batches" -> "'{" + BATCH_OF_MANY_RUNS + "}'";
      default -> argument(parameter);
    };
  }

  private static String argument(String parameter) {
    return switch (parameter) {
      case "shard" -> "0";
      case "limit", "max_bytes" -> "1000";
      case "run" -> "0";
      case "item_indexes",
          "runs",
          "deltas",
          "required_outcomes",
          "optional_outcomes",
          "outcomes",
          "numbers" ->
          array(IntStream.range(0, ITEMS).mapToObj(Integer::toString));
      case "ids", "parents", "children", "batches", "old_ids", "new_ids" ->
          array(IntStream.range(0, ITEMS).mapToObj(i -> new UUID(0, i).toString()));
      case "names" -> "'{task 77777}'";
      case "id", "child", "batch", "after", "after_id" -> "'" + BATCH_OF_MANY_RUNS + "'";
      default -> "NULL";
    };
  }

  private static String array(Stream<String> values) {
    return values.collect(Collectors.joining(",", "'{", "}'"));
  }

  private static String numbered(SqlStatement statement) {
    StringBuilder text = new StringBuilder();
    int number = 0;
    for (String part : statement.text().split("\\?", -1)) {
      text.append(number == 0 ? "" : "$" + number).append(part);
      number++;
    }
    return text.toString();
  }
}
