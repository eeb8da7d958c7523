// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.store.jdbc.sql.Call;
import dev.perdure.store.jdbc.sql.Lengths;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of the nodes. */
final class PostgresNodes implements NodeBook {

  private static final String SEPARATOR = "\n";

  private final Session session;

  PostgresNodes(Session session) {
    this.session = session;
  }

  @Override
  public void join(Node node, Duration validity) {
    session.repeatedly(
        "join",
        (connection, unsure) -> {
          try (Call call = session.call(connection, "node.join")) {
            Params.instant(call, "now", session.settings().now());
            return call.text("id", node.id().toString())
                .text("name", Params.text(node.name()))
                .text("kinds", Params.text(String.join(SEPARATOR, node.kinds())))
                .number("validity_ms", Lengths.millis(validity))
                .update();
          }
        });
  }

  /** The leases are read after the row is renewed: the renewal has waited for claims under way. */
  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return session.repeatedly(
        "renew",
        (connection, unsure) ->
            renewed(connection, node, validity)
                ? Optional.of(heldBy(connection, node))
                : Optional.empty());
  }

  boolean renewed(Connection connection, UUID node, Duration validity) throws SQLException {
    try (Call call = session.call(connection, "node.renew")) {
      Params.instant(call, "now", session.settings().now());
      return call.text("id", node.toString())
              .number("validity_ms", Lengths.millis(validity))
              .update()
          == 1;
    }
  }

  @Override
  public List<LeaseKey> held(UUID node) {
    return session.repeatedly("held", (connection, unsure) -> heldBy(connection, node));
  }

  private List<LeaseKey> heldBy(Connection connection, UUID node) throws SQLException {
    List<LeaseKey> leases = new ArrayList<>();
    for (int shard = 0; shard < session.settings().shards(); shard++) {
      try (Call call = session.call(connection, "task_state.held_by")) {
        ResultSet rows = call.count("shard", shard).text("owner", node.toString()).query();
        while (rows.next()) {
          leases.add(new LeaseKey(rows.getObject("id", UUID.class), rows.getLong("epoch")));
        }
      }
    }
    return leases;
  }

  @Override
  public void leave(UUID node) {
    session.repeatedly(
        "leave",
        (connection, unsure) -> {
          try (Call call = session.call(connection, "node.leave")) {
            return call.text("id", node.toString()).update();
          }
        });
  }

  @Override
  public List<UUID> buryLapsed(int limit) {
    return session.repeatedly(
        "bury",
        (connection, unsure) -> {
          forget(connection);
          return bury(connection, limit);
        });
  }

  List<UUID> bury(Connection connection, int limit) throws SQLException {
    List<UUID> dead = new ArrayList<>();
    try (Call call = session.call(connection, "node.bury")) {
      Params.instant(call, "now", session.settings().now());
      ResultSet rows = call.count("limit", limit).query();
      while (rows.next()) {
        dead.add(UUID.fromString(rows.getString("id")));
      }
    }
    return dead;
  }

  /** Rows of nodes that died long ago: whatever they held is found without them. */
  private void forget(Connection connection) throws SQLException {
    try (Call call = session.call(connection, "node.forget")) {
      Params.instant(call, "now", session.settings().now());
      call.update();
    }
  }

  @Override
  public List<Node> alive() {
    return session.repeatedly("alive", (connection, unsure) -> alive(connection));
  }

  private List<Node> alive(Connection connection) throws SQLException {
    List<Node> nodes = new ArrayList<>();
    try (Call call = session.call(connection, "node.alive")) {
      Params.instant(call, "now", session.settings().now());
      ResultSet rows = call.query();
      while (rows.next()) {
        nodes.add(
            new Node(
                UUID.fromString(rows.getString("id")),
                rows.getString("name"),
                rows.getString("kinds").lines().toList()));
      }
    }
    return nodes;
  }
}
