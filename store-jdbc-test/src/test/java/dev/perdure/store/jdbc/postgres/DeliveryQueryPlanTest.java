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
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks with EXPLAIN ANALYZE what the outbox reads. Each statement is rolled back. */
final class DeliveryQueryPlanTest {

  private static final int MANY = 50_000;

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  @Test
  void a_claim_does_not_read_sent_or_later_deliveries() throws SQLException {
    insert(MANY, "sent", "clock_timestamp() - INTERVAL '1 day'");
    insert(MANY, "pending", "clock_timestamp() + INTERVAL '1 day'");
    insert(100, "pending", "clock_timestamp() - INTERVAL '1 hour'");
    scenario.execute("VACUUM ANALYZE perdure_delivery");

    String plan = explain("delivery.claim");
    assertThat(plan)
        .contains("Index Scan using perdure_delivery_due on perdure_delivery")
        .doesNotContain("Seq Scan on perdure_delivery")
        .doesNotContain("Rows Removed by Filter");
  }

  @Test
  void dead_letters_are_found_without_reading_sent_deliveries() throws SQLException {
    insert(MANY, "sent", "clock_timestamp() - INTERVAL '1 day'");
    insert(10, "dead", "clock_timestamp() - INTERVAL '1 day'");
    scenario.execute("VACUUM ANALYZE perdure_delivery");

    for (String statement : List.of("delivery.list_dead", "delivery.count_dead")) {
      assertThat(explain(statement)).contains("perdure_delivery_dead").doesNotContain("Seq Scan");
    }
  }

  private void insert(int rows, String state, String due) throws SQLException {
    scenario.execute(
        "CREATE SEQUENCE IF NOT EXISTS made",
        """
        INSERT INTO perdure_delivery (
          shard, id, task, batch, trigger, request, state, epoch, attempt, created_at,
          retry_since, due_at, updated_at, ended_at)
        SELECT
          0, made.id, made.id, made.id, 'on_success', '{}', '%s', 0, 0, now(), now(), %s, now(),
          CASE WHEN '%s' <> 'pending' THEN now() END
        FROM (
          SELECT CAST(lpad(to_hex(nextval('made')), 32, '0') AS uuid) AS id
          FROM generate_series(1, %d)
        ) made
        """
            .formatted(state, due, state, rows));
  }

  private String explain(String name) throws SQLException {
    Map<String, String> values =
        Map.of(
            "now", "NULL",
            "shard", "0",
            "limit", "100",
            "lease_ms", "60000",
            "after_id", "CAST('ffffffff-ffff-ffff-ffff-ffffffffffff' AS uuid)",
            "trigger", "NULL");
    SqlStatement sqlStatement = SqlStatements.load("postgres").get(name);
    StringBuilder text = new StringBuilder("EXPLAIN (ANALYZE, COSTS OFF) ");
    String[] parts = sqlStatement.text().split("\\?", -1);
    for (int i = 0; i < parts.length; i++) {
      text.append(i == 0 ? "" : values.get(sqlStatement.parameters().get(i - 1))).append(parts[i]);
    }
    StringBuilder plan = new StringBuilder();
    try (Connection connection = scenario.database.begin();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(text.toString())) {
      while (rows.next()) {
        plan.append(rows.getString(1)).append('\n');
      }
      connection.rollback();
    }
    return plan.toString();
  }
}
