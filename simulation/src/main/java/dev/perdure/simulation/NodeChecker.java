// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known of the nodes' rows: until when each is valid, and whose it is. */
final class NodeChecker {

  /**
   * A node's row.
   *
   * @param renewedAt when it was last renewed, or written
   * @param validUntil when it runs out; long ago when its node left
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

  void renewed(UUID node, Duration validity, boolean answeredAlive) {
    if (!answeredAlive) {
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

  /** A claim brought something to this holder. */
  void claimed(String worker) {
    UUID node = UUID.fromString(worker);
    NodeRow row = rows.get(node);
    if (row != null) {
      requireValid(node, row, "claimed");
    }
  }

  private void requireValid(UUID node, NodeRow row, String did) {
    world.violations.require(
        row.validUntil().isAfter(world.now()),
        Invariant.DEAD_NODE_STAYS_DEAD,
        "node %s of %s %s although its row ran out at %s"
            .formatted(Trace.shortId(node), row.process().name(), did, row.validUntil()));
  }

  /** The row under which this worker holds what it holds. */
  @Nullable NodeRow find(@Nullable String worker) {
    return worker == null ? null : rows.get(UUID.fromString(worker));
  }
}
