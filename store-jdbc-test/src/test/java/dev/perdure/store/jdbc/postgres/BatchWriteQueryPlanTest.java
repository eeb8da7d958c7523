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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks with EXPLAIN how PostgreSQL finds the rows that a statement changes many of at once. */
final class BatchWriteQueryPlanTest {

  private static final int ITEMS = 1_000;
  private static final int ROWS = 20_000;

  private final PostgresScenario scenario = new PostgresScenario();

  @AfterEach
  void close() {
    scenario.close();
  }

  /** A statement, and the table that it must read by its key. */
  private record KeyedStatement(String mode, String name, String table) {}

  private static List<KeyedStatement> statements() {
    return Stream.of("force_generic_plan", "force_custom_plan")
        .flatMap(
            mode ->
                Stream.concat(
                    Stream.of(
                            "task_state.apply",
                            "lease.heartbeat",
                            "task_counters.add",
                            "graph.observe",
                            "graph.lock_for_propagation",
                            "graph.propagate",
                            "graph.lock",
                            "dedupe.lock_holders")
                        .map(name -> new KeyedStatement(mode, name, "perdure_task_state")),
                    Stream.of("delivery.extend", "delivery.settle")
                        .map(name -> new KeyedStatement(mode, name, "perdure_delivery"))))
        .toList();
  }

  /** PostgreSQL can keep such a plan until the next ANALYZE, when the table may have many rows. */
  @Test
  void uses_the_primary_key_while_the_table_is_empty() throws SQLException {
    assertAllThroughTheKey();
  }

  @Test
  void uses_the_primary_key_without_statistics() throws SQLException {
    insert();
    assertAllThroughTheKey();
  }

  @Test
  void uses_the_primary_key_with_statistics() throws SQLException {
    insert();
    scenario.execute("VACUUM ANALYZE perdure_task_state, perdure_delivery");
    assertAllThroughTheKey();
  }

  private void assertAllThroughTheKey() throws SQLException {
    for (KeyedStatement statement : statements()) {
      assertThroughTheKey(
          statement.toString(), plan(statement.mode(), statement.name()), statement.table());
    }
  }

  private static void assertThroughTheKey(String name, String plan, String table) {
    assertThat(plan)
        .as(name)
        .containsPattern(
            "Index Scan using %s_key on %s \\w\n".formatted(table, table)
                + " *Index Cond: \\(\\(shard = .*\\) AND \\(id = g(_1)?\\.id\\)\\)")
        .doesNotContain("Hash Join")
        .doesNotContain("Merge Join")
        .doesNotContain("id = ANY")
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
            .formatted(ROWS),
        """
        INSERT INTO perdure_delivery (
          shard, id, task, batch, trigger, request, state, epoch, attempt, created_at,
          retry_since, due_at, updated_at)
        SELECT
          0, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'on_success', '{}',
          'pending', 0, 0, now(), now(), now(), now()
        FROM generate_series(1, %d)
        """
            .formatted(ROWS));
  }

  private String plan(String mode, String name) throws SQLException {
    SqlStatement write = SqlStatements.load("postgres").get(name);
    String arguments =
        write.parameters().stream()
            .map(BatchWriteQueryPlanTest::argument)
            .collect(Collectors.joining(", "));
    try (Connection connection = scenario.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = " + mode);
      statement.execute("PREPARE writes AS " + numbered(write));
      try (ResultSet rows =
          statement.executeQuery("EXPLAIN (COSTS OFF) EXECUTE writes (" + arguments + ")")) {
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
      case "lease_ms" -> "60000";
      case "ids" -> array(IntStream.range(0, ITEMS).mapToObj(i -> new UUID(i, i).toString()));
      case "item_indexes" -> array(IntStream.range(0, ITEMS).mapToObj(Integer::toString));
      case "epochs", "attempts", "expected_attempts" ->
          array(IntStream.range(0, ITEMS).mapToObj(i -> "0"));
      default -> "NULL";
    };
  }

  private static String array(Stream<String> values) {
    return values.collect(Collectors.joining(",", "'{", "}'"));
  }

  private static String numbered(SqlStatement write) {
    StringBuilder text = new StringBuilder();
    int number = 0;
    for (String part : write.text().split("\\?", -1)) {
      text.append(number == 0 ? "" : "$" + number).append(part);
      number++;
    }
    return text.toString();
  }
}
