// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.NodeDetails;
import dev.perdure.engine.query.NodeLoad;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The nodes of the in-memory database, dead ones included. */
final class NodeTable {

  private final Map<UUID, NodeDetails> entries = new LinkedHashMap<>();

  private static boolean isAlive(NodeDetails node, Instant now) {
    return node.deadAt() == null && node.expiresAt().isAfter(now);
  }

  private static NodeDetails copy(NodeDetails node, Instant expiresAt, @Nullable Instant deadAt) {
    return new NodeDetails(
        node.id(),
        node.name(),
        node.kinds(),
        node.load(),
        node.joinedAt(),
        node.seenAt(),
        expiresAt,
        deadAt);
  }

  void add(RegisteredNode node, Instant now, Instant expiresAt) {
    entries.putIfAbsent(
        node.id(),
        new NodeDetails(node.id(), node.name(), node.kinds(), null, now, null, expiresAt, null));
  }

  void remove(UUID node) {
    entries.remove(node);
  }

  boolean isAlive(UUID node, Instant now) {
    NodeDetails entry = entries.get(node);
    return entry != null && isAlive(entry, now);
  }

  void extend(UUID node, Instant expiresAt) {
    entries.computeIfPresent(node, (id, entry) -> copy(entry, expiresAt, null));
  }

  void report(UUID node, NodeLoad load, Instant now) {
    if (isAlive(node, now)) {
      entries.computeIfPresent(
          node,
          (id, entry) ->
              new NodeDetails(
                  id,
                  entry.name(),
                  entry.kinds(),
                  load,
                  entry.joinedAt(),
                  now,
                  entry.expiresAt(),
                  null));
    }
  }

  List<UUID> markDead(Instant now, int limit) {
    List<UUID> expired =
        entries.values().stream()
            .filter(entry -> entry.deadAt() == null && !isAlive(entry, now))
            .limit(limit)
            .map(NodeDetails::id)
            .toList();
    for (UUID node : expired) {
      entries.computeIfPresent(node, (id, entry) -> copy(entry, entry.expiresAt(), now));
    }
    return expired;
  }

  Optional<String> nameOf(String worker) {
    return entries.values().stream()
        .filter(node -> node.id().toString().equals(worker))
        .map(NodeDetails::name)
        .findFirst();
  }

  List<RegisteredNode> alive(Instant now) {
    return entries.values().stream()
        .filter(entry -> isAlive(entry, now))
        .map(entry -> new RegisteredNode(entry.id(), entry.name(), entry.kinds()))
        .toList();
  }

  List<NodeDetails> all() {
    return List.copyOf(entries.values());
  }

  /**
   * Returns whether no living node has this id. An expired node counts as living until it is marked
   * dead.
   */
  boolean isGone(@Nullable String worker) {
    return entries.values().stream()
        .noneMatch(entry -> entry.deadAt() == null && entry.id().toString().equals(worker));
  }
}
