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

/** Checks with EXPLAIN ANALYZE what a claim reads. Each claim is rolled back. */
final class ClaimQueryPlanTest {

  private static final int DUE = 1_000;
  private static final int CLAIMED = 100;
  private static final int LATER = 100_000;
  private static final Pattern BUFFERS = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");

  private static final Pattern REMOVED =
      Pattern.compile("Rows Removed by (?:Join )?Filter: (\\d+)");

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_generic_plan", "force_custom_plan"})
  void a_claim_does_not_read_more_with_a_hundred_thousand_other_tasks(String mode)
      throws SQLException {
    insert(DUE, "'a'", "0", "clock_timestamp() - INTERVAL '1 hour'");
    scenario.execute("VACUUM ANALYZE");
    long baseline = buffers(explain(mode, CLAIMED));

    insert(LATER, "'a'", "0", "clock_timestamp() + INTERVAL '7 days'");
    insert(LATER, "'a'", "1", "clock_timestamp() - INTERVAL '1 day'");
    insert(LATER, "'unknown'", "0", "clock_timestamp() - INTERVAL '1 day'");
    scenario.execute("VACUUM ANALYZE");
    String plan = explain(mode, CLAIMED);

    // At most one page more for each row and for each index that has grown by a level: two are
    // searched and two are written.
    assertThat(buffers(plan)).as(plan).isLessThan(baseline + 4 * CLAIMED);
    assertThat(plan).contains("Index Scan using perdure_task_state_claim on perdure_task_state");
    assertThat(plan)
        .doesNotContain("Seq Scan on perdure_task_state")
        .doesNotContain("Seq Scan on perdure_task ");
  }

  @Test
  void a_claim_that_finds_nothing_reads_almost_nothing() throws SQLException {
    insert(LATER, "'a'", "0", "clock_timestamp() + INTERVAL '7 days'");
    scenario.execute("VACUUM ANALYZE");

    String plan = explain("force_generic_plan", CLAIMED);
    assertThat(buffers(plan)).as(plan).isLessThan(30);
  }

  /**
   * A first attempt has no previous failure, and a lookup would slow down every claim of a new
   * task.
   */
  @Test
  void a_first_attempt_does_not_look_up_a_previous_failure() throws SQLException {
    insert(DUE, "'a'", "0", "clock_timestamp() - INTERVAL '1 hour'");

    assertThat(explain("force_generic_plan", CLAIMED))
        .containsPattern("on perdure_task_state b \\(never executed\\)");
  }

  @Test
  void without_statistics_rows_are_not_compared_pairwise() throws SQLException {
    insert(DUE, "'a'", "0", "clock_timestamp() - INTERVAL '1 hour'");

    String plan = explain("force_custom_plan", DUE);
    long compared =
        REMOVED.matcher(plan).results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
    assertThat(compared).as(plan).isLessThan(DUE);
  }

  /** Inserts tasks with increasing ids, like real ones. */
  private void insert(int rows, String kind, String hold, String due) throws SQLException {
    scenario.execute(
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
    try (Connection connection = scenario.database.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL plan_cache_mode = " + mode);
      statement.execute("PREPARE claim (" + types(claim) + ") AS " + numbered(claim));
      String arguments =
          claim.parameters().stream().map(values::get).collect(Collectors.joining(", "));
      String run = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE claim (" + arguments + ")";
      // The first run is not counted: it includes lookups that happen once per connection.
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
    int number = 0;
    for (String part : sqlStatement.text().split("\\?", -1)) {
      text.append(number == 0 ? "" : "$" + number).append(part);
      number++;
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

  /** Returns the first buffer count of the plan, which is the total. */
  private static long buffers(String plan) {
    Matcher matcher = BUFFERS.matcher(plan);
    assertThat(matcher.find()).as(plan).isTrue();
    String read = matcher.group(2);
    return Long.parseLong(matcher.group(1)) + (read == null ? 0 : Long.parseLong(read));
  }
}
