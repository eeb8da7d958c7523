// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.task.LeaseKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The nodes' rows. */
final class SqliteNodes implements NodeBook {

  private static final String KIND_SEPARATOR = "\n";

  private final SqliteStore store;

  SqliteNodes(SqliteStore store) {
    this.store = store;
  }

  @Override
  public void join(Node node, Duration validity) {
    store.write(
        (session, now) ->
            session
                .sql("node.join")
                .text("id", node.id().toString())
                .text("name", node.name())
                .text("kinds", String.join(KIND_SEPARATOR, node.kinds()))
                .number("now", now)
                .number("validity_ms", Values.millis(validity))
                .update());
  }

  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return store.write(
        (session, now) -> {
          int written =
              session
                  .sql("node.renew")
                  .text("id", node.toString())
                  .number("now", now)
                  .number("validity_ms", Values.millis(validity))
                  .update();
          return written == 0 ? Optional.empty() : Optional.of(heldBy(session, node));
        });
  }

  @Override
  public List<LeaseKey> held(UUID node) {
    return store.read((session, now) -> heldBy(session, node));
  }

  private List<LeaseKey> heldBy(Session session, UUID node) throws SQLException {
    List<LeaseKey> held = new ArrayList<>();
    Prepared leases = session.sql("task_state.held_by").text("owner", node.toString());
    for (int shard = 0; shard < store.shards(); shard++) {
      held.addAll(
          leases
              .number("shard", shard)
              .rows(row -> new LeaseKey(Values.uuid(row.getBytes("id")), row.getLong("epoch"))));
    }
    return held;
  }

  @Override
  public void leave(UUID node) {
    store.write((session, now) -> session.sql("node.leave").text("id", node.toString()).update());
  }

  @Override
  public List<UUID> buryLapsed(int limit) {
    return store.write(
        (session, now) -> {
          session.sql("node.forget").number("now", now).update();
          return session
              .sql("node.bury")
              .number("now", now)
              .number("limit", limit)
              .rows(row -> UUID.fromString(row.getString("id")));
        });
  }

  @Override
  public List<Node> alive() {
    return store.read(
        (session, now) -> session.sql("node.alive").number("now", now).rows(SqliteNodes::node));
  }

  private static Node node(ResultSet row) throws SQLException {
    String kinds = row.getString("kinds");
    return new Node(
        UUID.fromString(row.getString("id")),
        row.getString("name"),
        kinds.isEmpty() ? List.of() : List.of(kinds.split(KIND_SEPARATOR, -1)));
  }
}
