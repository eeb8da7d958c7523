// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.SqlTimes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of the nodes. */
final class PostgresNodeRegistry implements NodeRegistry {

  private static final String SEPARATOR = "\n";

  private final PostgresExecutor executor;

  PostgresNodeRegistry(PostgresExecutor postgresExecutor) {
    this.executor = postgresExecutor;
  }

  @Override
  public void join(RegisteredNode registeredNode, Duration validity) {
    executor.runIdempotent(
        "join",
        (connection, unsure) -> {
          try (NamedParameterStatement namedParameterStatement =
              executor.statement(connection, "node.join")) {
            PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
            return namedParameterStatement
                .text("id", registeredNode.id().toString())
                .text("name", PostgresParameters.withoutNul(registeredNode.name()))
                .text(
                    "kinds",
                    PostgresParameters.withoutNul(String.join(SEPARATOR, registeredNode.kinds())))
                .number("validity_ms", SqlTimes.toMillis(validity))
                .update();
          }
        });
  }

  /** The leases are read after the row is renewed: the renewal has waited for claims under way. */
  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return executor.runIdempotent(
        "renew",
        (connection, unsure) ->
            renewed(connection, node, validity)
                ? Optional.of(heldBy(connection, node))
                : Optional.empty());
  }

  boolean renewed(Connection connection, UUID node, Duration validity) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "node.renew")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      return namedParameterStatement
              .text("id", node.toString())
              .number("validity_ms", SqlTimes.toMillis(validity))
              .update()
          == 1;
    }
  }

  @Override
  public List<LeaseKey> leasesOf(UUID node) {
    return executor.runIdempotent("held", (connection, unsure) -> heldBy(connection, node));
  }

  private List<LeaseKey> heldBy(Connection connection, UUID node) throws SQLException {
    List<LeaseKey> leases = new ArrayList<>();
    for (int shard = 0; shard < executor.settings().shards(); shard++) {
      try (NamedParameterStatement namedParameterStatement =
          executor.statement(connection, "task_state.leases_of")) {
        ResultSet rows =
            namedParameterStatement.integer("shard", shard).text("owner", node.toString()).query();
        while (rows.next()) {
          leases.add(new LeaseKey(rows.getObject("id", UUID.class), rows.getLong("epoch")));
        }
      }
    }
    return leases;
  }

  @Override
  public void leave(UUID node) {
    executor.runIdempotent(
        "leave",
        (connection, unsure) -> {
          try (NamedParameterStatement namedParameterStatement =
              executor.statement(connection, "node.leave")) {
            return namedParameterStatement.text("id", node.toString()).update();
          }
        });
  }

  @Override
  public List<UUID> markExpiredDead(int limit) {
    return executor.runIdempotent(
        "bury",
        (connection, unsure) -> {
          deleteDead(connection);
          return markDead(connection, limit);
        });
  }

  List<UUID> markDead(Connection connection, int limit) throws SQLException {
    List<UUID> dead = new ArrayList<>();
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "node.mark_dead")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      ResultSet rows = namedParameterStatement.integer("limit", limit).query();
      while (rows.next()) {
        dead.add(UUID.fromString(rows.getString("id")));
      }
    }
    return dead;
  }

  /** Rows of nodes that died long ago: whatever they held is found without them. */
  private void deleteDead(Connection connection) throws SQLException {
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "node.delete_dead")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      namedParameterStatement.update();
    }
  }

  @Override
  public List<RegisteredNode> alive() {
    return executor.runIdempotent("alive", (connection, unsure) -> alive(connection));
  }

  private List<RegisteredNode> alive(Connection connection) throws SQLException {
    List<RegisteredNode> registeredNodes = new ArrayList<>();
    try (NamedParameterStatement namedParameterStatement =
        executor.statement(connection, "node.list_alive")) {
      PostgresParameters.instant(namedParameterStatement, "now", executor.settings().now());
      ResultSet rows = namedParameterStatement.query();
      while (rows.next()) {
        registeredNodes.add(
            new RegisteredNode(
                UUID.fromString(rows.getString("id")),
                rows.getString("name"),
                rows.getString("kinds").lines().toList()));
      }
    }
    return registeredNodes;
  }
}
