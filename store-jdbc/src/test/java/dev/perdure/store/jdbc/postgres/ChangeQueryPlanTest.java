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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks with EXPLAIN how PostgreSQL finds the rows of a batch of changes. */
final class ChangeQueryPlanTest {

  private static final int CHANGES = 1_000;
  private static final int ROWS = 20_000;

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  /** PostgreSQL can keep such a plan until the next ANALYZE, when the table may have many rows. */
  @ParameterizedTest
  @ValueSource(strings = {"force_generic_plan", "force_custom_plan"})
  void uses_the_primary_key_while_the_table_is_empty(String mode) throws SQLException {
    assertThroughTheKey(plan(mode));
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_generic_plan", "force_custom_plan"})
  void uses_the_primary_key_without_statistics(String mode) throws SQLException {
    insert();
    assertThroughTheKey(plan(mode));
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_generic_plan", "force_custom_plan"})
  void uses_the_primary_key_with_statistics(String mode) throws SQLException {
    insert();
    scenario.execute("VACUUM ANALYZE perdure_task_state");
    assertThroughTheKey(plan(mode));
  }

  private static void assertThroughTheKey(String plan) {
    assertThat(plan)
        .containsPattern(
            "Index Scan using perdure_task_state_key on perdure_task_state s\n"
                + " *Index Cond: \\(\\(shard = .*\\) AND \\(id = g\\.id\\)\\)")
        .doesNotContain("Hash Join")
        .doesNotContain("Seq Scan");
  }

  private void insert() throws SQLException {
    scenario.execute(
        """
        INSERT INTO perdure_task_state (
          shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt,
          losses, retry_base, retry_since, unmet, updated_at, success, failures)
        SELECT
          0, gen_random_uuid(), gen_random_uuid(), 0, 'a', 0, 'pending', 0, now(), now(), 0, 0, 0,
          0, now(), 0, now(), 0, 0
        FROM generate_series(1, %d)
        """
            .formatted(ROWS));
  }

  private String plan(String mode) throws SQLException {
    SqlStatement apply = SqlStatements.load("postgres").get("task_state.apply");
    String arguments =
        apply.parameters().stream()
            .map(ChangeQueryPlanTest::argument)
            .collect(Collectors.joining(", "));
    try (Connection connection = scenario.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = " + mode);
      statement.execute("PREPARE changes AS " + numbered(apply));
      try (ResultSet rows =
          statement.executeQuery("EXPLAIN (COSTS OFF) EXECUTE changes (" + arguments + ")")) {
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
      case "ids" -> array(IntStream.range(0, CHANGES).mapToObj(i -> new UUID(i, i).toString()));
      case "item_indexes" -> array(IntStream.range(0, CHANGES).mapToObj(Integer::toString));
      case "epochs", "attempts", "expected_attempts" ->
          array(IntStream.range(0, CHANGES).mapToObj(i -> "0"));
      default -> "NULL";
    };
  }

  private static String array(Stream<String> values) {
    return values.collect(Collectors.joining(",", "'{", "}'"));
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
}
