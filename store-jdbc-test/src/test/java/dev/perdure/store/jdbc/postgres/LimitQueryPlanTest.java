// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.store.jdbc.sql.SqlStatement;
import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plans of the statements of limits, under a generic plan: 100,000 tasks wait for one limit, 20,000
 * for 10,000 others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LimitQueryPlanTest {

  private static final int ITEMS = 100;
  private static final Pattern BUFFERS = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");

  private final PostgresScenario scenario = new PostgresScenario();

  @BeforeAll
  void insert() throws SQLException {
    insertTasks(scenario, 0, 100_000, "'concurrency:a[]'");
    insertTasks(scenario, 100_000, 20_000, "'concurrency:a[tenant=' || t % 10000 || ']'");
    scenario.execute(
        """
        INSERT INTO perdure_limit (shard, key, queue, type, max, burst, used, updated_at)
        SELECT DISTINCT 0, s.limit_key, 'a', 'concurrency', 5, 1, 0, now()
        FROM perdure_task_state s
        """,
        """
        INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
        SELECT 0, 'a', l.key, 1, now() FROM perdure_limit l
        """,
        """
        INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
        SELECT 0, 'a', 'concurrency:a[]', 0, now() FROM generate_series(1, 20000)
        """,
        "VACUUM ANALYZE");
  }

  private static void insertTasks(PostgresScenario on, int from, int tasks, String key)
      throws SQLException {
    on.execute(
        """
        WITH made AS (
          SELECT CAST(lpad(to_hex(t), 32, '0') AS uuid) AS id, %3$s AS key
          FROM generate_series(%1$d + 1, %1$d + %2$d) t
        ), states AS (
          INSERT INTO perdure_task_state (
            shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
            losses, retry_base, retry_since, unmet, updated_at, success, failures, limits,
            limit_key)
          SELECT
            0, id, id, 0, 'a', 0, 'pending', 2, now(), now(), 0, 0, 0, 0, now(), 0, now(), 0, 0,
            key, key
          FROM made
        )
        INSERT INTO perdure_task (shard, batch, id, created_at, payload)
        SELECT 0, id, id, now(), '{}' FROM made
        """
            .formatted(from, tasks, key));
  }

  @AfterAll
  void close() {
    scenario.close();
  }

  @ParameterizedTest
  @CsvSource({
    "limit.open, perdure_task_state_limited",
    "limit.open, perdure_limit_key",
    "limit.open, perdure_limit_look",
    "limit.open, perdure_limit_event_of_key",
    "limit.waiting, perdure_task_state_limited",
    "limit.later, perdure_task_state_limited",
    "limit.lock, perdure_limit_key",
    "limit.lock, perdure_task_state_limited",
    "limit.lock, perdure_limit_event_of_key",
    "limit_definition.missing, perdure_limit_key",
    "limit_definition.of_waiting, perdure_task_state_limited",
    "limit_definition.of_tasks, perdure_task_state_key",
    "limit.work, perdure_task_state_leased",
    "limit.move, perdure_task_state_",
    "limit_admin.list, perdure_limit_key",
    "limit_admin.wait_of, perdure_task_state_limited",
    "limit_admin.lock_to_check, perdure_limit_key",
    "limit_admin.check, perdure_limit_event_of_key",
    "limit_admin.check, perdure_task_state_leased",
    "limit_admin.tasks_of_batch, perdure_task_key",
    "limit_admin.uncounted, perdure_task_key",
    "limit_admin.uncounted, perdure_task_state_key",
    "limit_admin.change, perdure_task_state_key",
    "limit_admin.change_locked, perdure_task_state_key",
    "limit_admin.change_rules, perdure_task_key",
    "limit_admin.delete, perdure_limit_key",
    "limit_event.rules, perdure_limit_event_of_key",
    "limit_event.delete_unexplained, perdure_limit_event_of_key",
    "limit_event.delete_old, perdure_limit_event_key",
    "limit_event.delete_unexplained, perdure_task_state_limited",
    "claim.take, perdure_limit_event_key",
    "claim.take, perdure_limit_look",
    "claim.take_limited, perdure_task_state_key",
    "claim.take_limited, perdure_limit_key",
    "claim.next_due, perdure_limit_look",
    "kind_limit.change, perdure_limit_key",
    "kind_limit.due, perdure_task_state_claim",
    "kind_limit.due, perdure_task_state_claim_by_priority",
    "kind_limit.due, perdure_task_key",
    "kind_limit.leased, perdure_task_state_leased",
    "kind_limit.leased, perdure_task_key",
    "kind_limit.tasks, perdure_task_state_key",
    "kind_limit.tasks, perdure_task_key",
  })
  void reads_an_index(String name, String index) throws SQLException {
    assertThat(plan(name, ""))
        .contains(index)
        .doesNotContainPattern("Seq Scan on perdure_(task|limit)");
  }

  @Test
  void looking_at_a_limit_does_not_read_the_tasks_that_wait_behind_its_room() throws SQLException {
    String plan = plan("limit.open", "ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS, ");
    // 500 events to choose from, and for each of 10 limits its events, its row and five tasks; the
    // first limit has 2,000 events, which are deleted.
    assertThat(plan).contains("Index Scan using perdure_task_state_limited");
    assertThat(buffers(plan)).as(plan).isLessThan(20_000);
    assertThat(plan).doesNotContainPattern("rows=1000[0-9.]* loops").doesNotContain("rows=100000");
  }

  @Test
  void looking_for_what_else_waits_does_not_read_the_whole_line() throws SQLException {
    String plan = plan("limit.later", "ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS, ");
    // 100 limits, half of them of several queues; 100,000 tasks wait for the first.
    assertThat(buffers(plan)).as(plan).isLessThan(4_000);
    assertThat(plan).doesNotContain("rows=100000");
  }

  /** The tasks of a limited kind are behind many others of their queue. */
  @Test
  void looking_for_tasks_of_limited_kinds_reads_only_the_first_of_a_queue() throws SQLException {
    try (PostgresScenario busy = new PostgresScenario()) {
      insertTasks(busy, 0, 50_000, "'concurrency:a[]'");
      busy.execute(
          "UPDATE perdure_task_state SET hold = 0, limits = NULL, limit_key = NULL, queue = 'a', kind = 'other'",
          "VACUUM ANALYZE");
      String plan =
          plan(busy, "force_generic_plan", "kind_limit.due", "ANALYZE, TIMING OFF, BUFFERS, ");
      assertThat(plan).contains("Rows Removed by Filter: 100");
      assertThat(buffers(plan)).as(plan).isLessThan(300);
    }
  }

  /** As when a database is new, or when all tasks had ended when its statistics were made. */
  @ParameterizedTest
  @CsvSource({
    "claim.take_limited, perdure_task_state_limited",
    "claim.take_limited, perdure_task_state_not_claimable",
    "limit.move, perdure_task_state_limited",
  })
  void with_old_statistics_waiting_tasks_are_not_read_one_by_one(String name, String index)
      throws SQLException {
    try (PostgresScenario empty = new PostgresScenario()) {
      assertThat(plan(empty, "force_custom_plan", name, "")).doesNotContain(index);
      insertTasks(empty, 0, 1000, "'concurrency:a[]'");
      empty.execute(
          "UPDATE perdure_task_state SET state = 'success', ended_at = now()", "VACUUM ANALYZE");
      for (String mode : List.of("force_generic_plan", "force_custom_plan")) {
        assertThat(plan(empty, mode, name, "")).doesNotContain(index);
      }
    }
  }

  /** Planning takes longer than most claims. */
  @ParameterizedTest
  @ValueSource(strings = {"claim.take", "limit.open", "claim.take_limited", "claim.next_due"})
  void is_planned_only_a_few_times(String name) throws SQLException {
    try (PostgresScenario empty = new PostgresScenario();
        Connection connection = empty.database.begin();
        Statement statement = connection.createStatement()) {
      String explain = prepare(statement, name, "");
      for (int i = 0; i < 7; i++) {
        statement.execute(explain);
      }
      try (ResultSet row =
          statement.executeQuery("SELECT generic_plans FROM pg_prepared_statements")) {
        row.next();
        assertThat(row.getLong(1)).isEqualTo(2);
      }
    }
  }

  private static long buffers(String plan) {
    return BUFFERS
        .matcher(plan)
        .results()
        .findFirst()
        .map(found -> Long.parseLong(found.group(1)))
        .orElseThrow();
  }

  private String plan(String name, String options) throws SQLException {
    return plan(scenario, "force_generic_plan", name, options);
  }

  private static String plan(PostgresScenario on, String mode, String name, String options)
      throws SQLException {
    try (Connection connection = on.database.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = " + mode);
      try (ResultSet rows = statement.executeQuery(prepare(statement, name, options))) {
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
          text.append(rows.getString(1)).append('\n');
        }
        return text.toString();
      }
    }
  }

  /** Returns a statement that explains the prepared one. */
  private static String prepare(Statement connection, String name, String options)
      throws SQLException {
    SqlStatement statement = SqlStatements.load("postgres").get(name);
    connection.execute("PREPARE limits AS " + numbered(statement));
    String arguments =
        statement.parameters().stream()
            .map(parameter -> argument(name, parameter))
            .collect(Collectors.joining(", "));
    return "EXPLAIN (%sCOSTS OFF) EXECUTE limits (%s)".formatted(options, arguments);
  }

  private static String argument(String statement, String parameter) {
    boolean oneRule = statement.equals("kind_limit.change");
    if (statement.equals("limit.later") && parameter.equals("keys")) {
      return argument(parameter).replace("a[tenant=0]", "a[]");
    }
    return oneRule && List.of("max", "burst").contains(parameter) ? "5" : argument(parameter);
  }

  private static String argument(String parameter) {
    return switch (parameter) {
      case "shard" -> "0";
      case "limit", "max_limits" -> "10";
      case "max_events" -> "500";
      case "max_events_of_key" -> "2000";
      case "max_counted" -> "1000";
      case "queues" -> "'{a}'";
      case "start" -> "true";
      case "shared" -> array(IntStream.range(0, ITEMS).mapToObj(i -> String.valueOf(i % 2 == 0)));
      case "item_indexes", "started", "used", "chosen", "max", "burst" ->
          array(IntStream.rangeClosed(1, ITEMS).mapToObj(Integer::toString));
      case "keys", "limits", "limit_queues" ->
          array(IntStream.range(0, ITEMS).mapToObj(i -> "concurrency:a[tenant=" + i + "]"));
      case "ids" -> array(IntStream.range(0, ITEMS).mapToObj(i -> new UUID(0, i).toString()));
      case "batch" -> "'" + new UUID(0, 7) + "'";
      case "id" -> "'" + new UUID(0, 1) + "'";
      case "kinds" -> "'{mail}'";
      case "max_scanned" -> "100";
      case "key" -> "'concurrency:a[]'";
      case "after" -> "'00000000-0000-0000-0000-000000000000'";
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
