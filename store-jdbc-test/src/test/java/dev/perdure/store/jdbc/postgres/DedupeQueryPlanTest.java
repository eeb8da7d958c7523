// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.store.jdbc.sql.SqlStatement;
import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks with EXPLAIN that the statements for dedupe keys find their rows through indexes, with the
 * plan for any parameters and with the one for given parameters, on a large table.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DedupeQueryPlanTest {

  private static final int ITEMS = 500;

  private final PostgresScenario scenario = new PostgresScenario();

  @BeforeAll
  void insert() throws SQLException {
    scenario.execute(
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, success, failures, ended_at,
          dedupe_key)
        SELECT
          0, CAST(lpad(to_hex(t), 32, '0') AS uuid), CAST(lpad(to_hex(t), 32, '0') AS uuid), 0,
          'a', 0, CASE WHEN t % 2 = 0 THEN 'pending' ELSE 'success' END, 0, now(), now(), 0, 0, 0,
          0, now(), 0, now(), 0, 0, CASE WHEN t % 2 = 1 THEN now() END, 'key ' || t
        FROM generate_series(1, 40000) t
        """,
        """
        INSERT INTO perdure_task (shard, batch, id, created_at, payload)
        SELECT 0, s.batch, s.id, now(), '{}' FROM perdure_task_state s
        """,
        """
        INSERT INTO perdure_dependency (shard, parent, child, required, deferred)
        SELECT 0, s.id, CAST(lpad(to_hex(70000), 32, '0') AS uuid), true, true
        FROM perdure_task_state s
        """,
        """
        INSERT INTO perdure_batch (shard, id, created_at, size, last_active_at)
        SELECT 0, s.batch, now(), 1, now() FROM perdure_task_state s
        """,
        """
        INSERT INTO perdure_run (shard, batch, run, started_at, open)
        SELECT 0, b.id, 0, now(), 1 FROM perdure_batch b
        """,
        """
        INSERT INTO perdure_submission_key (shard, id, content_digest, batch, taken_at)
        SELECT 0, CAST(b.id AS text), '', b.id, now() FROM perdure_batch b
        """,
        "VACUUM ANALYZE");
  }

  @AfterAll
  void close() {
    scenario.close();
  }

  @ParameterizedTest
  @CsvSource({
    "dedupe.holders, perdure_task_state_dedupe",
    "dedupe.is_dedupe_key_taken, perdure_task_state_dedupe",
    "dedupe.share_holders, perdure_task_state_key",
    "dedupe.lock_holders, perdure_task_state_key",
    "dedupe.replace, perdure_task_key",
    "task_state.supersede, perdure_task_state_key",
    "dependency.move_deferred, perdure_dependency",
    "submission_key.find, perdure_submission_key_key",
    "dedupe.is_stored, perdure_batch_key",
    "run.put_off, perdure_run_key"
  })
  void finds_its_rows_through_indexes(String name, String index) throws SQLException {
    for (String mode : new String[] {"force_generic_plan", "force_custom_plan"}) {
      assertThat(plan(mode, name))
          .as(mode)
          .contains(index)
          .doesNotContain("Seq Scan")
          .doesNotContain("Hash Join")
          .doesNotContain("Merge Join");
    }
  }

  private String plan(String mode, String name) throws SQLException {
    SqlStatement sql = SqlStatements.load("postgres").get(name);
    String arguments =
        sql.parameters().stream()
            .map(DedupeQueryPlanTest::argument)
            .collect(Collectors.joining(", "));
    try (Connection connection = scenario.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = " + mode);
      statement.execute("PREPARE checked AS " + numbered(sql));
      try (ResultSet rows =
          statement.executeQuery("EXPLAIN (COSTS OFF) EXECUTE checked (" + arguments + ")")) {
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
      case "shard", "run", "due_in_ms" -> "0";
      case "delay_ms" -> "10000";
      case "payload" -> "'{}'";
      case "id", "batch" -> "'00000000-0000-0000-0000-000000000777'";
      case "keys" -> array("key %d");
      case "item_indexes" -> array("%d");
      case "are_parents" -> "'{true,false}'";
      case "ids", "old_ids", "new_ids" -> array("00000000-0000-0000-0000-%012d");
      default -> "NULL";
    };
  }

  private static String array(String format) {
    return IntStream.range(0, ITEMS)
        .mapToObj(format::formatted)
        .collect(Collectors.joining(",", "'{", "}'"));
  }

  private static String numbered(SqlStatement sql) {
    StringBuilder text = new StringBuilder();
    int number = 0;
    for (String part : sql.text().split("\\?", -1)) {
      text.append(number == 0 ? "" : "$" + number).append(part);
      number++;
    }
    return text.toString();
  }
}
