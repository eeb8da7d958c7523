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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plans of the statements of schedules, under a generic plan: 10,000 schedules with five firings
 * each, and 50,000 tasks of which some belong to schedules. Also those of the overview.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ScheduleQueryPlanTest {

  private static final int ITEMS = 100;

  private final PostgresScenario scenario = new PostgresScenario();

  @BeforeAll
  void insert() throws SQLException {
    scenario.execute(
        """
        INSERT INTO perdure_schedule (
          shard, id, name, trigger_json, overlap, misfire, enabled, template, version, anchor_at,
          next_at, look_at, queued, firings, created_at, updated_at)
        SELECT
          0, CAST(lpad(to_hex(t), 32, '0') AS uuid), 'schedule ' || t, '{}', 'skip', 'skip', true,
          '{}', 0, now(), now() + t * INTERVAL '1 second', now() + t * INTERVAL '1 second', 0, 0,
          now(), now()
        FROM generate_series(1, 10000) t
        """,
        """
        INSERT INTO perdure_firing (
          shard, schedule, scheduled_for, manual, fired_at, outcome, missed)
        SELECT 0, s.id, now() - f * INTERVAL '1 hour', false, now(), 'skipped', 0
        FROM perdure_schedule s CROSS JOIN generate_series(1, 5) f
        """,
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, success, failures, schedule)
        SELECT
          0, id, id, 0, 'a', 0, 'pending', 0, now(), now(), 0, 0, 0, 0, now(), 0, now(), 0, 0,
          CASE WHEN t % 10 = 0 THEN CAST(lpad(to_hex(t / 10), 32, '0') AS uuid) END
        FROM (
          SELECT t, CAST(lpad(to_hex(t), 32, '0') AS uuid) AS id
          FROM generate_series(1, 50000) t
        ) made
        """,
        """
        INSERT INTO perdure_run (
          shard, batch, run, started_at, open, ended_at, outcome, next_at, schedule)
        SELECT
          0, CAST(lpad(to_hex(t), 32, '0') AS uuid), 0, now(), 0, now(), 'failure',
          CASE WHEN t % 5 = 0 THEN now() END,
          CASE WHEN t % 10 = 0 THEN CAST(lpad(to_hex(t / 100), 32, '0') AS uuid) END
        FROM generate_series(1, 50000) t
        """,
        """
        INSERT INTO perdure_rollup (step_s, at, node, counts)
        SELECT 60, now() - m * INTERVAL '1 minute', 'node ' || n, '{}'
        FROM generate_series(1, 180) m CROSS JOIN generate_series(1, 50) n
        """,
        "VACUUM ANALYZE");
  }

  @AfterAll
  void close() {
    scenario.close();
  }

  @ParameterizedTest
  @CsvSource({
    "schedule.find, perdure_schedule_key",
    "schedule.find_by_name, perdure_schedule_name",
    "schedule.list, perdure_schedule_name",
    "schedule.update, perdure_schedule_key",
    "schedule.list_overdue, perdure_schedule_look",
    "schedule.lock_due, perdure_schedule_look",
    "schedule.states, perdure_task_state_schedule",
    "schedule.states, perdure_firing_queued",
    "schedule.lock, perdure_schedule_key",
    "schedule.advance, perdure_schedule_key",
    "schedule.postpone, perdure_schedule_key",
    "schedule.mark_tasks, perdure_task_state_key",
    "schedule.until_next, perdure_schedule_look",
    "schedule.live_tasks, perdure_task_state_schedule",
    "schedule.mark_runs, perdure_run_key",
    "schedule.unfinished_batches, perdure_run_schedule",
    "firing.list, perdure_firing_key",
    "firing.list_delayed, perdure_firing_fired",
    "firing.prune, perdure_firing_key",
    "rollup.list, perdure_rollup_key",
    "rollup.delete_expired, perdure_rollup_key",
    "task_state.count_failed, perdure_task_state_failed_at",
    "retry_wave.next, perdure_task_state_retry",
    "firing.delete, perdure_firing_key",
    "firing.delete_queued, perdure_firing_queued",
  })
  void reads_an_index(String name, String index) throws SQLException {
    assertThat(plan(name)).contains(index).doesNotContain("Seq Scan on perdure_");
  }

  @ParameterizedTest
  @CsvSource({
    "rollup.list, Index Cond: \\(\\(step_s = \\$\\d\\) AND \\(at >=",
    "rollup.delete_expired, Index Cond: \\(\\(step_s = \\$\\d\\) AND \\(at <",
    "task_state.count_failed, Index Cond: \\(\\(shard = \\$\\d\\) AND \\(ended_at >",
    "schedule.list_overdue, Index Cond: \\(\\(shard = \\$\\d\\) AND \\(look_at <=",
    "firing.list_delayed, Index Cond: \\(\\(shard = \\$\\d\\) AND \\(fired_at >",
  })
  void reads_only_the_asked_time_from_the_index(String name, String condition) throws SQLException {
    assertThat(plan(name)).containsPattern(condition);
  }

  private String plan(String name) throws SQLException {
    SqlStatement sql = SqlStatements.load("postgres").get(name);
    String arguments =
        sql.parameters().stream()
            .map(ScheduleQueryPlanTest::argument)
            .collect(Collectors.joining(", "));
    try (Connection connection = scenario.database.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE schedules AS " + numbered(sql));
      try (ResultSet rows =
          statement.executeQuery(
              "EXPLAIN (COSTS OFF) EXECUTE schedules (%s)".formatted(arguments))) {
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
          text.append(rows.getString(1)).append('\n');
        }
        return text.toString();
      }
    }
  }

  private static String argument(String parameter) {
    return switch (parameter) {
      case "shard" -> "0";
      case "limit", "kept" -> "100";
      case "id", "schedule" -> "'" + new UUID(0, 1) + "'";
      case "ids", "schedules", "batches" ->
          array(IntStream.range(0, ITEMS).mapToObj(i -> new UUID(0, i).toString()));
      case "item_indexes", "queued", "firings" ->
          array(IntStream.range(0, ITEMS).mapToObj(Integer::toString));
      case "name" -> "'schedule 5'";
      case "step_s" -> "60";
      case "scanned" -> "10000";
      case "enabled", "waiting" -> "true";
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
