// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.task.LeaseKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The nodes in {@code perdure_node}. */
final class SqliteNodeRegistry implements NodeRegistry {

  private static final String KIND_SEPARATOR = "\n";

  private final SqliteStore store;

  SqliteNodeRegistry(SqliteStore store) {
    this.store = store;
  }

  @Override
  public void join(RegisteredNode node, Duration validity) {
    store.write(
        (session, now) ->
            session
                .statement("node.join")
                .text("id", node.id().toString())
                .text("name", node.name())
                .text("kinds", String.join(KIND_SEPARATOR, node.kinds()))
                .number("now", now)
                .number("validity_ms", SqliteValues.millis(validity))
                .update());
  }

  @Override
  public Optional<List<LeaseKey>> renew(UUID node, Duration validity) {
    return store.write(
        (session, now) -> {
          int written =
              session
                  .statement("node.renew")
                  .text("id", node.toString())
                  .number("now", now)
                  .number("validity_ms", SqliteValues.millis(validity))
                  .update();
          return written == 0 ? Optional.empty() : Optional.of(leases(session, node));
        });
  }

  @Override
  public List<LeaseKey> leasesOf(UUID node) {
    return store.read((session, now) -> leases(session, node));
  }

  private List<LeaseKey> leases(SqliteSession session, UUID node) throws SQLException {
    List<LeaseKey> found = new ArrayList<>();
    CachedStatement leases = session.statement("lease.leases_of").text("owner", node.toString());
    for (int shard = 0; shard < store.shards(); shard++) {
      found.addAll(
          leases
              .number("shard", shard)
              .list(
                  row ->
                      new LeaseKey(SqliteValues.uuid(row.getBytes("id")), row.getLong("epoch"))));
    }
    return found;
  }

  @Override
  public void leave(UUID node) {
    store.write(
        (session, now) -> session.statement("node.leave").text("id", node.toString()).update());
  }

  @Override
  public List<UUID> markExpiredDead(int limit) {
    return store.write(
        (session, now) -> {
          session.statement("node.delete_dead").number("now", now).update();
          return session
              .statement("node.mark_dead")
              .number("now", now)
              .number("limit", limit)
              .list(row -> UUID.fromString(row.getString("id")));
        });
  }

  @Override
  public Optional<String> nameOf(String worker) {
    return store.read(
        (session, now) ->
            session
                .statement("node.find_name")
                .text("id", worker)
                .list(row -> row.getString("name"))
                .stream()
                .findFirst());
  }

  @Override
  public List<RegisteredNode> alive() {
    return store.read(
        (session, now) ->
            session.statement("node.list_alive").number("now", now).list(SqliteNodeRegistry::node));
  }

  private static RegisteredNode node(ResultSet row) throws SQLException {
    String kinds = row.getString("kinds");
    return new RegisteredNode(
        UUID.fromString(row.getString("id")),
        row.getString("name"),
        kinds.isEmpty() ? List.of() : List.of(kinds.split(KIND_SEPARATOR, -1)));
  }
}
