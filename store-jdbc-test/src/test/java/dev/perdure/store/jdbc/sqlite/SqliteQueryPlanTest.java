// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.store.jdbc.sql.SqlStatements;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SqliteQueryPlanTest {

  private static final Pattern BOUND_LIMIT = Pattern.compile("LIMIT \\?(?! \\+ )");

  /**
   * Plans that read a whole shard: with one shard that is the whole table, even if it starts at
   * some id. The limits of kinds, k, are few.
   */
  private static final Pattern FULL_SCAN =
      Pattern.compile(
          "SCAN (task|task_state|attempt|batch|[stad])( .*)?"
              + "|SEARCH (?!k ).* USING PRIMARY KEY \\(shard=\\?( AND (id|batch)[<>]\\?)?\\)");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "claim.due, perdure_task_state_claim",
    "claim.due, perdure_task_state_claim_by_priority",
    "claim.next_due, perdure_task_state_claim",
    "claim.next_due, perdure_task_state_claim_by_priority",
    "lease.leases_of, perdure_task_state_leased",
    "task_view.orphans, perdure_task_state_leased",
    "task_view.inactive, perdure_task_state_inactive",
    "task_view.past_deadline, perdure_task_state_deadline",
    "task_state.backlog, perdure_task_state_leased",
    "task_state.backlog, perdure_task_state_not_claimable",
    "task_state.backlog, perdure_task_state_claim",
    "task_state.backlog, perdure_task_state_claim_by_priority",
    "task_state.count_ended, perdure_task_state_ended_at",
    "task_list.list_held, perdure_task_state_not_claimable",
    "task_list.list_oldest_held, perdure_task_state_not_claimable",
    "task_list.count_held, perdure_task_state_not_claimable",
    "task_list.list_retries, perdure_task_state_retry",
    "task_list.count_live, perdure_task_state_leased",
    "task_list.count_live, perdure_task_state_not_claimable",
    "task_list.count_live, perdure_task_state_limited",
    "task_list.count_live, perdure_task_state_claim_by_priority",
    "task_list.count_live, perdure_task_state_claim",
    "task_list.count_retries, perdure_task_state_retry",
    "task_list.list_leased, perdure_task_state_leased",
    "task_list.list_in_retry, perdure_task_state_retry",
    "task_list.list_error, perdure_task_state_error",
    "task_list.list_failed_or_retries, perdure_task_state_failed",
    "task_list.list_failed_or_retries, perdure_task_state_retry",
    "task_list.list_ended_failed, perdure_task_state_failed_at",
    "task_list.list_ended_error, perdure_task_state_error",
    "task_list.count_error, perdure_task_state_error",
    "task_list.fits_retries, perdure_task_state_retry",
    "task_list.list_ended, perdure_task_state_ended_at",
    "submission_key.delete_expired, perdure_submission_key_taken",
    "batch.find_expired, perdure_batch_last_active",
    "batch.list_deleting, perdure_batch_deleting",
    "batch.find_expired, perdure_delivery_of_batch",
    "task_state.count_failed, perdure_task_state_failed_at",
    "retry_wave.next, perdure_task_state_retry",
    "firing.list_delayed, perdure_firing_fired",
    "schedule.list_overdue, perdure_schedule_look",
    "delivery.count_dead, perdure_delivery_dead",
    "delivery.due, perdure_delivery_due",
    "delivery.list_pending, perdure_delivery_due",
    "delivery.list_dead, perdure_delivery_dead",
    "delivery.list_of_task, perdure_delivery_of_batch",
    "delivery.delete, perdure_delivery_of_batch",
  })
  void uses_its_index(String statement, String index) throws SQLException {
    assertThat(plan(statement))
        .as(statement)
        .anyMatch(step -> step.matches("SEARCH .* USING (COVERING )?INDEX " + index + " .*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"retry_wave.count", "retry_wave.count_by_kind"})
  void retries_of_a_time_are_counted_from_the_index_alone(String statement) throws SQLException {
    assertThat(plan(statement))
        .filteredOn(step -> step.startsWith("SEARCH"))
        .containsExactly(
            "SEARCH s USING COVERING INDEX perdure_task_state_retry"
                + " (shard=? AND due_at>? AND due_at<?)");
  }

  @ParameterizedTest
  @CsvSource({
    "rollup.list, (step_s=? AND at>?)",
    "rollup.delete_expired, (step_s=? AND at<?)",
    "rollup.delete_expired, (step_s=? AND at=? AND node=?)",
  })
  void rollups_are_found_by_step_and_time(String statement, String range) throws SQLException {
    assertThat(plan(statement)).anyMatch(step -> step.endsWith("USING PRIMARY KEY " + range));
    assertThat(plan(statement)).noneMatch(step -> step.startsWith("SCAN"));
  }

  @ParameterizedTest
  @CsvSource({
    "claim.take",
    "task_state.apply",
    "lease.heartbeat",
    "task_view.find",
    "task_view.find_all",
    "task_view.relations",
    "delivery.claim",
    "delivery.settle",
    "delivery.redeliver",
    "delivery.find",
  })
  void finds_rows_by_primary_key(String statement) throws SQLException {
    assertThat(plan(statement))
        .as(statement)
        .anyMatch(step -> step.contains("USING PRIMARY KEY (shard=? AND id=?)"));
  }

  @Test
  void only_unfiltered_lists_scan_a_table() throws SQLException {
    List<String> scanning = new ArrayList<>();
    SqlStatements all = SqlStatements.load("sqlite");
    for (int i = 0; i < all.names().size(); i++) {
      boolean whole =
          !all.statements().get(i).text().isEmpty()
              && plan(all.names().get(i)).stream().anyMatch(FULL_SCAN.asMatchPredicate());
      if (whole) {
        scanning.add(all.names().get(i));
      }
    }
    // These stop at their limit, lists and counts of tasks also at their scan limit; the last one
    // reads a row per migration.
    assertThat(scanning)
        .containsExactlyInAnyOrder(
            "batch.scan",
            "batch.count",
            "task_list.list",
            "task_list.list_oldest",
            "task_list.count",
            "attempt.sum_delays",
            "delivery.list",
            "delivery.list_sent",
            "schema.list");
  }

  /**
   * SQLite plans with the number that is bound to LIMIT, so it compiles the statement again
   * whenever one is bound. That takes longer than most statements. It does not look into an
   * expression.
   */
  @Test
  void binding_a_limit_does_not_compile_a_statement_again() {
    assertThat(SqlStatements.load("sqlite").statements())
        .noneMatch(statement -> BOUND_LIMIT.matcher(statement.text()).find());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "task_list.list",
        "task_list.list_batch",
        "task_list.list_held",
        "task_list.list_oldest",
        "task_list.list_oldest_held",
        "task_list.list_oldest_batch",
        "task_list.list_retries",
        "task_list.list_ended",
      })
  void lists_are_read_in_index_order_without_sorting(String statement) throws SQLException {
    assertThat(plan(statement)).noneMatch(step -> step.contains("TEMP B-TREE"));
  }

  private List<String> plan(String statement) throws SQLException {
    Path file = folder.resolve("tasks.db");
    SqliteTestTasks.open(file).close();
    String text = SqlStatements.load("sqlite").get(statement).text();
    List<String> steps = new ArrayList<>();
    try (Connection connection = SqliteFile.of(file).connectForWriting();
        PreparedStatement explain = connection.prepareStatement("EXPLAIN QUERY PLAN " + text);
        ResultSet rows = explain.executeQuery()) {
      while (rows.next()) {
        steps.add(rows.getString("detail"));
      }
    }
    return steps;
  }
}
