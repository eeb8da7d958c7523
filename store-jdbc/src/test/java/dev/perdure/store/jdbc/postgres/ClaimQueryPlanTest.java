// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.store.jdbc.sql.SqlStatement;
import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a claim reads, by the planner's own account; the plan is rolled back each time. */
final class ClaimQueryPlanTest {

  private static final int DUE = 1_000;
  private static final int CLAIMED = 100;
  private static final int LATER = 100_000;
  private static final Pattern BUFFERS = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");

  private static final Pattern REMOVED =
      Pattern.compile("Rows Removed by (?:Join )?Filter: (\\d+)");

  private final PostgresScenario postgresScenario = new PostgresScenario();

  @AfterEach
  void close() {
    postgresScenario.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_generic_plan", "force_custom_plan"})
  void reads_the_same_with_a_hundred_thousand_others_beside_it(String mode) throws SQLException {
    insert(DUE, "'a'", "0", "clock_timestamp() - INTERVAL '1 hour'");
    postgresScenario.execute("VACUUM ANALYZE");
    long alone = buffers(explain(mode, CLAIMED));

    insert(LATER, "'a'", "0", "clock_timestamp() + INTERVAL '7 days'");
    insert(LATER, "'a'", "1", "clock_timestamp() - INTERVAL '1 day'");
    insert(LATER, "'unknown'", "0", "clock_timestamp() - INTERVAL '1 day'");
    postgresScenario.execute("VACUUM ANALYZE");
    String plan = explain(mode, CLAIMED);

    // No more than a page for each row and tree that has grown a level: two are searched, and
    // two are added to.
    assertThat(buffers(plan)).as(plan).isLessThan(alone + 4 * CLAIMED);
    assertThat(plan).contains("Index Scan using perdure_task_state_claim on perdure_task_state");
    assertThat(plan)
        .doesNotContain("Seq Scan on perdure_task_state")
        .doesNotContain("Seq Scan on perdure_task ");
  }

  @Test
  void a_poll_that_finds_nothing_reads_next_to_nothing() throws SQLException {
    insert(LATER, "'a'", "0", "clock_timestamp() + INTERVAL '7 days'");
    postgresScenario.execute("VACUUM ANALYZE");

    String plan = explain("force_generic_plan", CLAIMED);
    assertThat(buffers(plan)).as(plan).isLessThan(30);
  }

  /** There is none, and to look would cost every claim of a task that was never tried. */
  @Test
  void looks_for_no_failure_before_a_first_attempt() throws SQLException {
    insert(DUE, "'a'", "0", "clock_timestamp() - INTERVAL '1 hour'");

    assertThat(explain("force_generic_plan", CLAIMED))
        .containsPattern("on perdure_task_state b \\(never executed\\)");
  }

  @Test
  void compares_no_row_with_every_other_where_there_are_no_statistics() throws SQLException {
    insert(DUE, "'a'", "0", "clock_timestamp() - INTERVAL '1 hour'");

    String plan = explain("force_custom_plan", DUE);
    long compared =
        REMOVED.matcher(plan).results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
    assertThat(compared).as(plan).isLessThan(DUE);
  }

  /** Ids in the order of time, as ours are. */
  private void insert(int rows, String kind, String hold, String due) throws SQLException {
    postgresScenario.execute(
        "CREATE SEQUENCE IF NOT EXISTS made",
        """
        WITH made AS (
          SELECT
            CAST(lpad(to_hex(nextval('made')), 32, '0') AS uuid) AS id,
            due.at + n * INTERVAL '1 millisecond' AS at
          FROM generate_series(1, %d) AS n, (SELECT %s AS at) due
        ), states AS (
          INSERT INTO perdure_task_state (
            shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
            losses, retry_base, retry_since, unmet, updated_at, success, failures)
          SELECT 0, id, id, 0, %s, 0, 'pending', %s, at, at, 0, 0, 0, 0, at, 0, at, 0, 0 FROM made)
        INSERT INTO perdure_task (shard, batch, id, created_at, payload)
        SELECT 0, id, id, at, '{}' FROM made
        """
            .formatted(rows, due, kind, hold));
  }

  private String explain(String mode, int limit) throws SQLException {
    Map<String, String> values =
        Map.of(
            "now", "CAST(NULL AS timestamptz)",
            "node", "CAST(NULL AS text)",
            "queues", "ARRAY['a', 'b']",
            "free_slots", "ARRAY[%d, %d]".formatted(limit, limit),
            "shard", "0",
            "limit", Integer.toString(limit),
            "start", "true",
            "worker", "'w'",
            "lease_ms", "60000");
    SqlStatement claim = SqlStatements.load("postgres").get("claim.take");
    try (Connection connection = postgresScenario.database.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL plan_cache_mode = " + mode);
      statement.execute("PREPARE claim (" + types(claim) + ") AS " + numbered(claim));
      String arguments =
          claim.parameters().stream().map(values::get).collect(Collectors.joining(", "));
      String run = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE claim (" + arguments + ")";
      // What is looked up only once per connection is not counted.
      statement.execute(run);
      connection.rollback();
      statement.execute("SET LOCAL plan_cache_mode = " + mode);
      String plan = lines(statement.executeQuery(run));
      connection.rollback();
      return plan;
    }
  }

  private static String types(SqlStatement sqlStatement) {
    Map<String, String> types =
        Map.of(
            "now", "timestamptz",
            "node", "text",
            "queues", "text[]",
            "free_slots", "int[]",
            "shard", "int",
            "limit", "int",
            "start", "boolean",
            "worker", "text",
            "lease_ms", "bigint");
    return sqlStatement.parameters().stream().map(types::get).collect(Collectors.joining(", "));
  }

  private static String numbered(SqlStatement sqlStatement) {
    StringBuilder text = new StringBuilder();
    int place = 0;
    for (String part : sqlStatement.text().split("\\?", -1)) {
      text.append(place == 0 ? "" : "$" + place).append(part);
      place++;
    }
    return text.toString();
  }

  private static String lines(ResultSet rows) throws SQLException {
    StringBuilder text = new StringBuilder();
    while (rows.next()) {
      text.append(rows.getString(1)).append('\n');
    }
    return text.toString();
  }

  /** The first line of buffers is the sum of all. */
  private static long buffers(String plan) {
    Matcher matcher = BUFFERS.matcher(plan);
    assertThat(matcher.find()).as(plan).isTrue();
    String read = matcher.group(2);
    return Long.parseLong(matcher.group(1)) + (read == null ? 0 : Long.parseLong(read));
  }
}
