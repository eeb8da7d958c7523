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

/** The nodes in {@code perdure_node}. */
final class PostgresNodeRegistry implements NodeRegistry {

  private static final String SEPARATOR = "\n";

  private final PostgresExecutor executor;

  PostgresNodeRegistry(PostgresExecutor executor) {
    this.executor = executor;
  }

  @Override
  public void join(RegisteredNode node, Duration validity) {
    executor.runIdempotent(
        "join",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, "node.join")) {
            PostgresParameters.instant(statement, "now", executor.settings().now());
            return statement
                .text("id", node.id().toString())
                .text("name", PostgresParameters.withoutNul(node.name()))
                .text("kinds", PostgresParameters.withoutNul(String.join(SEPARATOR, node.kinds())))
                .number("validity_ms", SqlTimes.toMillis(validity))
                .update();
          }
        });
  }

  /** Reads the leases after renewing the row, because the renewal waits for claims in progress. */
  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return executor.runIdempotent(
        "renew",
        (connection, mayHaveCommitted) ->
            renewRow(connection, node, validity)
                ? Optional.of(leases(connection, node))
                : Optional.empty());
  }

  boolean renewRow(Connection connection, UUID node, Duration validity) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "node.renew")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      return statement
              .text("id", node.toString())
              .number("validity_ms", SqlTimes.toMillis(validity))
              .update()
          == 1;
    }
  }

  @Override
  public List<LeaseKey> leasesOf(UUID node) {
    return executor.runIdempotent(
        "list leases", (connection, mayHaveCommitted) -> leases(connection, node));
  }

  private List<LeaseKey> leases(Connection connection, UUID node) throws SQLException {
    List<LeaseKey> leases = new ArrayList<>();
    for (int shard = 0; shard < executor.settings().shards(); shard++) {
      try (NamedParameterStatement statement = executor.statement(connection, "lease.leases_of")) {
        ResultSet rows = statement.integer("shard", shard).text("owner", node.toString()).query();
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
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = executor.statement(connection, "node.leave")) {
            return statement.text("id", node.toString()).update();
          }
        });
  }

  @Override
  public List<UUID> markExpiredDead(int limit) {
    return executor.runIdempotent(
        "mark expired nodes dead",
        (connection, mayHaveCommitted) -> {
          deleteDead(connection);
          return markDead(connection, limit);
        });
  }

  List<UUID> markDead(Connection connection, int limit) throws SQLException {
    List<UUID> dead = new ArrayList<>();
    try (NamedParameterStatement statement = executor.statement(connection, "node.mark_dead")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      ResultSet rows = statement.integer("limit", limit).query();
      while (rows.next()) {
        dead.add(UUID.fromString(rows.getString("id")));
      }
    }
    return dead;
  }

  /** Deletes nodes that died long ago. Their tasks are found as orphans without the row. */
  private void deleteDead(Connection connection) throws SQLException {
    try (NamedParameterStatement statement = executor.statement(connection, "node.delete_dead")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      statement.update();
    }
  }

  @Override
  public Optional<String> nameOf(String worker) {
    return executor.runIdempotent(
        "find the name of a node",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              executor.statement(connection, "node.find_name")) {
            ResultSet rows = statement.text("id", worker).query();
            return rows.next() ? Optional.of(rows.getString("name")) : Optional.empty();
          }
        });
  }

  @Override
  public List<RegisteredNode> alive() {
    return executor.runIdempotent(
        "list nodes", (connection, mayHaveCommitted) -> alive(connection));
  }

  private List<RegisteredNode> alive(Connection connection) throws SQLException {
    List<RegisteredNode> nodes = new ArrayList<>();
    try (NamedParameterStatement statement = executor.statement(connection, "node.list_alive")) {
      PostgresParameters.instant(statement, "now", executor.settings().now());
      ResultSet rows = statement.query();
      while (rows.next()) {
        nodes.add(
            new RegisteredNode(
                UUID.fromString(rows.getString("id")),
                rows.getString("name"),
                rows.getString("kinds").lines().toList()));
      }
    }
    return nodes;
  }
}
