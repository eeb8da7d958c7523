// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks the node leases: which process has each of them, and until when it is valid. */
final class NodeChecker {

  /**
   * The row of a node.
   *
   * @param renewedAt when the node joined or last renewed its lease
   * @param validUntil when the lease expires; {@link Instant#MIN} if the node has left
   */
  record NodeRow(NodeProcess process, Instant renewedAt, Instant validUntil) {

    boolean hasLeft() {
      return validUntil.equals(Instant.MIN);
    }
  }

  private final World world;
  private final Map<UUID, NodeRow> rows = new HashMap<>();

  NodeChecker(World world) {
    this.world = world;
  }

  void joined(UUID node, Duration validity, NodeProcess process) {
    world.trace.line(process.name(), "joins as " + Trace.shortId(node));
    rows.putIfAbsent(node, new NodeRow(process, world.now(), world.now().plus(validity)));
  }

  void renewed(UUID node, Duration validity, boolean alive) {
    if (!alive) {
      world.trace.covered(CoveragePoint.DEAD_NODE_REJOINED);
      return;
    }
    NodeRow row = rows.get(node);
    if (row == null) {
      return;
    }
    requireValid(node, row, "was renewed");
    rows.put(node, new NodeRow(row.process(), world.now(), world.now().plus(validity)));
  }

  void left(UUID node) {
    rows.computeIfPresent(
        node, (id, row) -> new NodeRow(row.process(), row.renewedAt(), Instant.MIN));
  }

  /** Checks a claim that returned tasks. */
  void claimed(String worker) {
    UUID node = UUID.fromString(worker);
    NodeRow row = rows.get(node);
    if (row != null) {
      requireValid(node, row, "claimed");
    }
  }

  private void requireValid(UUID node, NodeRow row, String action) {
    world.violations.require(
        row.validUntil().isAfter(world.now()),
        Invariant.DEAD_NODE_STAYS_DEAD,
        "node %s of %s %s, although its lease expired at %s"
            .formatted(Trace.shortId(node), row.process().name(), action, row.validUntil()));
  }

  /** Returns the row of this lease owner, or null. */
  @Nullable NodeRow find(@Nullable String worker) {
    return worker == null ? null : rows.get(UUID.fromString(worker));
  }
}
