// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
