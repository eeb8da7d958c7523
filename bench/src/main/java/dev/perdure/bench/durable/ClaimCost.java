// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlStatement;
import dev.perdure.store.jdbc.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cost of the store's claim statement, from {@code EXPLAIN (ANALYZE, BUFFERS)}.
 *
 * @param tasks number of claimed tasks
 * @param buffers number of pages read, from the cache or from disk
 */
record ClaimCost(int tasks, long buffers) {

  private static final int DUE = 1_000;
  private static final int CLAIMED = 100;

  /** Submits tasks to the database and claims some of them. */
  static ClaimCost of(BenchDatabase database) throws SQLException {
    try (DurableContender contender = new PostgresBaseline(database, DUE)) {
      contender.submit(0, DUE);
    }
    database.execute("VACUUM (ANALYZE) perdure_task_state");
    SqlStatement claim = SqlStatements.load("postgres").get("claim.take");
    SqlStatement explained =
        new SqlStatement(
            claim.name(),
            "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + claim.text(),
            claim.parameters());
    try (Connection connection = database.connect();
        NamedParameterStatement namedParameterStatement = explained.prepare(connection)) {
      bind(namedParameterStatement, connection);
      ResultSet row = namedParameterStatement.query();
      row.next();
      return read(JsonMapper.shared().readTree(row.getString(1)).path(0).path("Plan"));
    }
  }

  private static void bind(NamedParameterStatement namedParameterStatement, Connection connection)
      throws SQLException {
    namedParameterStatement.set(
        "now", (target, index) -> target.setNull(index, Types.TIMESTAMP_WITH_TIMEZONE));
    namedParameterStatement.integer("shard", 0).integer("limit", CLAIMED).flag("start", true);
    namedParameterStatement.text("node", null).text("worker", "explain");
    namedParameterStatement.number("lease_ms", Duration.ofMinutes(1).toMillis());
    namedParameterStatement.set(
        "queues",
        (target, index) ->
            target.setArray(
                index, connection.createArrayOf("text", new String[] {DurableContender.KIND})));
    namedParameterStatement.set(
        "free_slots",
        (target, index) ->
            target.setArray(index, connection.createArrayOf("int4", new Integer[] {CLAIMED})));
  }

  private static ClaimCost read(JsonNode plan) {
    return new ClaimCost(
        (int) plan.path("Actual Rows").asDouble(),
        plan.path("Shared Hit Blocks").asLong() + plan.path("Shared Read Blocks").asLong());
  }
}
