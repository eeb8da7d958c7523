// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.RollupJson;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Rollups in {@code perdure_rollup}. */
record PostgresRollupStore(PostgresExecutor executor) implements RollupStore {

  @Override
  public Instant write(List<Rollup> rollups) {
    return executor.runIdempotent(
        "write rollups",
        (connection, mayHaveCommitted) -> {
          write(connection, rollups);
          return executor.now(connection);
        });
  }

  private void write(Connection connection, List<Rollup> rollups) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "rollup.write")) {
      PostgresParameters.array(
          statement, "steps", "int8", rollups, one -> one.step().length().toSeconds());
      PostgresParameters.array(
          statement, "ats", "text", rollups, one -> PostgresParameters.instantText(one.at()));
      PostgresParameters.array(statement, "nodes", "text", rollups, one -> one.node().toString());
      PostgresParameters.array(
          statement, "counts", "text", rollups, one -> RollupJson.write(one.counts()));
      statement.update();
    }
  }

  @Override
  public int read(RollupStep step, Instant from, int limit, Consumer<Rollup> consumer) {
    List<Rollup> found =
        executor.runIdempotent(
            "read rollups",
            (connection, mayHaveCommitted) ->
                read(connection, step, from, Math.min(limit, MAX_READ)));
    found.forEach(consumer);
    return found.size();
  }

  private List<Rollup> read(Connection connection, RollupStep step, Instant from, int limit)
      throws SQLException {
    List<Rollup> found = new ArrayList<>();
    try (NamedParameterStatement statement = executor.statement(connection, "rollup.list")) {
      PostgresParameters.instant(statement, "from", from);
      ResultSet rows =
          statement
              .integer("step_s", Math.toIntExact(step.length().toSeconds()))
              .integer("limit", limit)
              .query();
      while (rows.next()) {
        found.add(
            new Rollup(
                step,
                requireNonNull(new PostgresColumnReader().instant(rows, "at")),
                UUID.fromString(rows.getString("node")),
                RollupJson.read(rows.getString("counts"))));
      }
    }
    return found;
  }

  @Override
  public int purge(int limit) {
    int deleted = 0;
    for (RollupStep step : RollupStep.values()) {
      deleted +=
          executor.runIdempotent(
              "purge rollups", (connection, mayHaveCommitted) -> purge(connection, step, limit));
    }
    return deleted;
  }

  private int purge(Connection connection, RollupStep step, int limit) throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "rollup.delete_expired")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      return statement
          .integer("step_s", Math.toIntExact(step.length().toSeconds()))
          .number("retention_ms", step.retention().toMillis())
          .integer("limit", limit)
          .update();
    }
  }
}
