// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known of the nodes' rows: until when each is valid, and whose it is. */
final class NodeRows {

  /**
   * A node's row.
   *
   * @param renewedAt when it was last renewed, or written
   * @param validUntil when it runs out; long ago when its node left
   */
  record Standing(NodeProcess process, Instant renewedAt, Instant validUntil) {

    boolean hasLeft() {
      return validUntil.equals(Instant.MIN);
    }
  }

  private final World world;
  private final Map<UUID, Standing> rows = new HashMap<>();

  NodeRows(World world) {
    this.world = world;
  }

  void joined(UUID node, Duration validity, NodeProcess process) {
    world.trace.line(process.name(), "joins as " + Trace.brief(node));
    rows.putIfAbsent(node, new Standing(process, world.now(), world.now().plus(validity)));
  }

  void renewed(UUID node, Duration validity, boolean answeredAlive) {
    if (!answeredAlive) {
      world.trace.saw(Situation.NODE_LAPSED_AND_JOINED_ANEW);
      return;
    }
    Standing row = rows.get(node);
    if (row == null) {
      return;
    }
    requireValid(node, row, "was renewed");
    rows.put(node, new Standing(row.process(), world.now(), world.now().plus(validity)));
  }

  void left(UUID node) {
    rows.computeIfPresent(
        node, (id, row) -> new Standing(row.process(), row.renewedAt(), Instant.MIN));
  }

  /** A claim brought something to this holder. */
  void claims(String worker) {
    UUID node = UUID.fromString(worker);
    Standing row = rows.get(node);
    if (row != null) {
      requireValid(node, row, "claimed");
    }
  }

  private void requireValid(UUID node, Standing row, String did) {
    world.findings.require(
        row.validUntil().isAfter(world.now()),
        Invariant.LAPSED_FOR_EVER,
        "node %s of %s %s although its row ran out at %s"
            .formatted(Trace.brief(node), row.process().name(), did, row.validUntil()));
  }

  /** The row under which this worker holds what it holds. */
  @Nullable Standing find(@Nullable String worker) {
    return worker == null ? null : rows.get(UUID.fromString(worker));
  }
}
