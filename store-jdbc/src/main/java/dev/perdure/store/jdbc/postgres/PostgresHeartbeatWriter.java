// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the signs of life of one shard, in one statement; several of one lease are one. */
final class PostgresHeartbeatWriter {

  private final PostgresExecutor executor;
  private final CurrentState currentState;

  PostgresHeartbeatWriter(PostgresExecutor postgresExecutor) {
    this.executor = postgresExecutor;
    this.currentState = new CurrentState(postgresExecutor);
  }

  List<WriteResult> writeAll(Connection connection, int shard, List<Heartbeat> signs)
      throws SQLException {
    Map<LeaseKey, Heartbeat> merged = new LinkedHashMap<>();
    for (Heartbeat sign : signs) {
      merged.merge(sign.key(), sign, PostgresHeartbeatWriter::later);
    }
    List<Heartbeat> distinct = List.copyOf(merged.values());
    List<WriteResult> writeResults = write(connection, shard, distinct);
    Map<LeaseKey, WriteResult> byLease = new HashMap<>();
    for (int i = 0; i < distinct.size(); i++) {
      byLease.put(distinct.get(i).key(), writeResults.get(i));
    }
    return signs.stream()
        .map(sign -> byLease.getOrDefault(sign.key(), WriteResult.notFound()))
        .toList();
  }

  private static Heartbeat later(Heartbeat before, Heartbeat after) {
    return new Heartbeat(
        after.key(),
        after.success() == null ? before.success() : after.success(),
        after.expected() == null ? before.expected() : after.expected(),
        after.lease() == null ? before.lease() : after.lease());
  }

  private List<WriteResult> write(Connection connection, int shard, List<Heartbeat> signs)
      throws SQLException {
    GuardedWrites<Heartbeat> guardedWrites =
        new GuardedWrites<>(signs, sign -> sign.key().task(), Heartbeat::key);
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "task_state.heartbeat")) {
      List<Heartbeat> sent = guardedWrites.indexes().stream().map(guardedWrites::item).toList();
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.integer("shard", shard);
      PostgresParameters.array(
          namedParameterStatement, "item_indexes", "int4", guardedWrites.indexes(), place -> place);
      PostgresParameters.array(
          namedParameterStatement, "ids", "uuid", sent, sign -> sign.key().task());
      PostgresParameters.array(
          namedParameterStatement, "epochs", "int8", sent, sign -> sign.key().epoch());
      PostgresParameters.array(
          namedParameterStatement, "successes", "int8", sent, Heartbeat::success);
      PostgresParameters.array(
          namedParameterStatement, "expected_counts", "int8", sent, Heartbeat::expected);
      PostgresParameters.array(
          namedParameterStatement,
          "leases_ms",
          "int8",
          sent,
          sign -> SqlTimes.toMillisOrNull(sign.lease()));
      guardedWrites.markApplied(namedParameterStatement.query());
    }
    return currentState.results(connection, shard, guardedWrites, (sign, stateRow) -> false);
  }
}
