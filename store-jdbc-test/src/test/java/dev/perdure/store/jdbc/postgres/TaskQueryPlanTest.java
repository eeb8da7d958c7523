// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks with EXPLAIN how PostgreSQL finds a task when it has no statistics. */
final class TaskQueryPlanTest {

  private static final String BY_KEY =
      "Index Cond: .*\\(batch = s\\.batch\\) AND \\(id = s\\.id\\)";

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  /** PostgreSQL keeps such a plan until the next ANALYZE, when the table may have many rows. */
  @Test
  void a_task_is_found_by_its_whole_primary_key_without_statistics() throws SQLException {
    assertThat(
            plan(
                "(int, uuid) AS SELECT * FROM perdure_task_view WHERE shard = $1 AND id = $2",
                "(0, '00000000-0000-0000-0000-000000000000')"))
        .containsPattern(BY_KEY);
  }

  @Test
  void each_of_several_tasks_is_found_in_the_same_way() throws SQLException {
    String several =
        SqlStatements.load("postgres")
            .get("task_view.find_all")
            .text()
            .replaceFirst("\\?", "\\$1")
            .replaceFirst("\\?", "\\$2");

    assertThat(plan("(uuid[], int) AS " + several, "('{}', 0)")).containsPattern(BY_KEY);
  }

  /** A list stops at its limit, so it must be read in order; a status must not cost more. */
  @ParameterizedTest
  @CsvSource({
    "task_list.list, perdure_task_state_key",
    "task_list.list_oldest, perdure_task_state_key",
    "task_list.list_held, perdure_task_state_not_claimable",
    "task_list.list_oldest_held, perdure_task_state_not_claimable",
    "task_list.count_held, perdure_task_state_not_claimable",
    "task_list.list_retries, perdure_task_state_retry",
    "task_list.count_retries, perdure_task_state_retry",
    "task_list.count, perdure_task_state_key",
    "task_list.count_live, perdure_task_state_leased",
    "task_list.count_live, perdure_task_state_not_claimable",
    "task_list.count_live, perdure_task_state_limited",
    "task_list.count_live, perdure_task_state_claim_by_priority",
    "task_list.count_live, perdure_task_state_claim",
  })
  void lists_with_any_status_are_read_in_the_order_of_their_index(String statement, String index)
      throws SQLException {
    fill();
    String text = SqlStatements.load("postgres").get(statement).text();
    List<String> values = new ArrayList<>();
    while (text.contains("?")) {
      values.add("NULL");
      text = text.replaceFirst("\\?", "\\$" + values.size());
    }

    assertThat(plan("AS " + text, "(" + String.join(", ", values) + ")"))
        .containsPattern(" using " + index + " on perdure_task_state s(_\\d+)? ")
        .doesNotContain("Seq Scan", "Bitmap", "Sort");
  }

  /** These are read from their index first and sorted then, if there are few. */
  @ParameterizedTest
  @CsvSource({
    "leased, perdure_task_state_leased",
    "in_retry, perdure_task_state_retry",
    "error, perdure_task_state_error",
    "live, perdure_task_state_claim",
    "failed_or_retries, perdure_task_state_failed",
    "failed_or_retries, perdure_task_state_retry",
    "error_or_retries, perdure_task_state_error",
    "error_or_retries, perdure_task_state_retry",
  })
  void tasks_of_a_state_are_read_from_its_index(String source, String index) throws SQLException {
    fill();
    for (String list : List.of("task_list.list_", "task_list.list_oldest_")) {
      assertReadsOnly(list + source, index);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "list_ended_failed, perdure_task_state_failed_at",
    "list_ended_error, perdure_task_state_error",
    "count_leased, perdure_task_state_leased",
    "count_error, perdure_task_state_error",
    "count_failed_or_retries, perdure_task_state_retry",
    "count_error_or_retries, perdure_task_state_error",
    "fits_leased, perdure_task_state_leased",
    "fits_retries, perdure_task_state_retry",
    "fits_live, perdure_task_state_claim",
    "fits_error, perdure_task_state_error",
    "fits_error_or_retries, perdure_task_state_retry",
  })
  void what_decides_on_a_list_is_read_from_an_index(String statement, String index)
      throws SQLException {
    fill();
    assertReadsOnly("task_list." + statement, index);
  }

  private void assertReadsOnly(String statement, String index) throws SQLException {
    String text = SqlStatements.load("postgres").get(statement).text();
    List<String> values = new ArrayList<>();
    while (text.contains("?")) {
      values.add("NULL");
      text = text.replaceFirst("\\?", "\\$" + values.size());
    }
    assertThat(plan("AS " + text, "(" + String.join(", ", values) + ")"))
        .as(statement)
        .containsPattern(" using " + index + " on perdure_task_state s(_\\d+)? ")
        .doesNotContain("Seq Scan", "Bitmap");
  }

  /** What the page of one task reads takes as long with any number of tasks. */
  @ParameterizedTest
  @CsvSource({
    "attempt.list_rows, perdure_attempt_key",
    "attempt.find, perdure_attempt_key",
    "task_view.relations, perdure_attempt_key",
    "task_view.relations, perdure_dependency_child",
    "task_view.relations, perdure_dependency_key",
    "task_view.relations, perdure_task_state_key",
  })
  void what_belongs_to_one_task_is_read_from_an_index(String statement, String index)
      throws SQLException {
    fill();
    String text = SqlStatements.load("postgres").get(statement).text();
    List<String> values = new ArrayList<>();
    while (text.contains("?")) {
      values.add("NULL");
      text = text.replaceFirst("\\?", "\\$" + values.size());
    }

    assertThat(plan("AS " + text, "(" + String.join(", ", values) + ")"))
        .contains(" using " + index + " on ")
        .doesNotContain("Seq Scan", "Sort");
  }

  /** Many ended tasks, some retries and a few paused tasks, with statistics. */
  private void fill() throws SQLException {
    scenario.store.submit(PostgresScenario.submission(5_000));
    try (Connection connection = scenario.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          UPDATE perdure_task_state s
          SET state = CASE WHEN n.place < 500 THEN 'failure' WHEN n.place < 4500 THEN 'success' WHEN n.place < 4900 THEN 'retry_pending' ELSE 'pending' END,
              ended_at = CASE WHEN n.place < 4500 THEN due_at + n.place * INTERVAL '1 second' END,
              give_up_reason = CASE WHEN n.place < 500 THEN 'exhausted' END,
              error = CASE WHEN n.place < 500 THEN 'e' || n.place % 5 END,
              hold = CASE WHEN n.place >= 4990 THEN 1 ELSE 0 END
          FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM perdure_task_state) n
          WHERE s.id = n.id
          """);
      statement.execute(
          """
          INSERT INTO perdure_attempt (shard, task, epoch, number, ended_at, outcome, status)
          SELECT shard, id, 1, 0, due_at, 'success', 0
          FROM perdure_task_state
          """);
      statement.execute(
          """
          INSERT INTO perdure_dependency (shard, parent, child, required, deferred)
          SELECT shard, id, gen_random_uuid(), true, false
          FROM perdure_task_state
          """);
      statement.execute(
          "VACUUM ANALYZE perdure_task_state, perdure_task, perdure_attempt, perdure_dependency");
    }
  }

  private String plan(String prepared, String executed) throws SQLException {
    try (Connection connection = scenario.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE found " + prepared);
      StringBuilder plan = new StringBuilder();
      try (ResultSet row = statement.executeQuery("EXPLAIN EXECUTE found " + executed)) {
        while (row.next()) {
          plan.append(row.getString(1)).append('\n');
        }
      }
      return plan.toString();
    }
  }
}
