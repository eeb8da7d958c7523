// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

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

  private record Entry(RegisteredNode node, Instant expiresAt, boolean dead) {

    boolean isAlive(Instant now) {
      return !dead && expiresAt.isAfter(now);
    }

    boolean isExpired(Instant now) {
      return !dead && !isAlive(now);
    }
  }

  private final Map<UUID, Entry> entries = new LinkedHashMap<>();

  void add(RegisteredNode registeredNode, Instant expiresAt) {
    entries.putIfAbsent(registeredNode.id(), new Entry(registeredNode, expiresAt, false));
  }

  void remove(UUID node) {
    entries.remove(node);
  }

  boolean isAlive(UUID node, Instant now) {
    Entry entry = entries.get(node);
    return entry != null && entry.isAlive(now);
  }

  void extend(UUID node, Instant expiresAt) {
    entries.computeIfPresent(node, (id, entry) -> new Entry(entry.node(), expiresAt, false));
  }

  List<UUID> markDead(Instant now, int limit) {
    List<UUID> expired =
        entries.values().stream()
            .filter(entry -> entry.isExpired(now))
            .limit(limit)
            .map(entry -> entry.node().id())
            .toList();
    for (UUID node : expired) {
      entries.computeIfPresent(
          node, (id, entry) -> new Entry(entry.node(), entry.expiresAt(), true));
    }
    return expired;
  }

  Optional<String> nameOf(String worker) {
    return entries.values().stream()
        .map(Entry::node)
        .filter(node -> node.id().toString().equals(worker))
        .map(RegisteredNode::name)
        .findFirst();
  }

  List<RegisteredNode> alive(Instant now) {
    return entries.values().stream().filter(entry -> entry.isAlive(now)).map(Entry::node).toList();
  }

  /**
   * Returns whether no living node has this id. An expired node counts as living until it is marked
   * dead.
   */
  boolean isGone(@Nullable String worker) {
    return entries.values().stream()
        .noneMatch(entry -> !entry.dead() && entry.node().id().toString().equals(worker));
  }
}
