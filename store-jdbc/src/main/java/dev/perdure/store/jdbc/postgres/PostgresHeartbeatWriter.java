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

/**
 * Writes the heartbeats of one shard in one statement. Several heartbeats of one lease are merged.
 */
final class PostgresHeartbeatWriter {

  private final PostgresExecutor executor;
  private final CurrentState currentState;

  PostgresHeartbeatWriter(PostgresExecutor executor) {
    this.executor = executor;
    this.currentState = new CurrentState(executor);
  }

  List<WriteResult> writeAll(Connection connection, int shard, List<Heartbeat> heartbeats)
      throws SQLException {
    Map<LeaseKey, Heartbeat> merged = new LinkedHashMap<>();
    for (Heartbeat heartbeat : heartbeats) {
      merged.merge(heartbeat.key(), heartbeat, PostgresHeartbeatWriter::merge);
    }
    List<Heartbeat> distinct = List.copyOf(merged.values());
    List<WriteResult> results = write(connection, shard, distinct);
    Map<LeaseKey, WriteResult> byLease = new HashMap<>();
    for (int i = 0; i < distinct.size(); i++) {
      byLease.put(distinct.get(i).key(), results.get(i));
    }
    return heartbeats.stream()
        .map(heartbeat -> byLease.getOrDefault(heartbeat.key(), WriteResult.notFound()))
        .toList();
  }

  private static Heartbeat merge(Heartbeat before, Heartbeat after) {
    return new Heartbeat(
        after.key(),
        after.success() == null ? before.success() : after.success(),
        after.expected() == null ? before.expected() : after.expected(),
        after.lease() == null ? before.lease() : after.lease());
  }

  private List<WriteResult> write(Connection connection, int shard, List<Heartbeat> heartbeats)
      throws SQLException {
    GuardedWrites<Heartbeat> writes =
        new GuardedWrites<>(heartbeats, heartbeat -> heartbeat.key().task(), Heartbeat::key);
    try (NamedParameterStatement statement = executor.statement(connection, "lease.heartbeat")) {
      List<Heartbeat> sent = writes.indexes().stream().map(writes::item).toList();
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.integer("shard", shard);
      PostgresParameters.array(statement, "item_indexes", "int4", writes.indexes(), index -> index);
      PostgresParameters.array(statement, "ids", "uuid", sent, heartbeat -> heartbeat.key().task());
      PostgresParameters.array(
          statement, "epochs", "int8", sent, heartbeat -> heartbeat.key().epoch());
      PostgresParameters.array(statement, "successes", "int8", sent, Heartbeat::success);
      PostgresParameters.array(statement, "expected_counts", "int8", sent, Heartbeat::expected);
      PostgresParameters.array(
          statement,
          "leases_ms",
          "int8",
          sent,
          heartbeat -> SqlTimes.toMillisOrNull(heartbeat.lease()));
      writes.markApplied(statement.query());
    }
    return currentState.results(connection, shard, writes, (heartbeat, found) -> false);
  }
}
