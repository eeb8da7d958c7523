// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of the nodes. A node holds its tasks while its row is alive. */
public interface NodeRegistry {

  /** A node's row. */
  record RegisteredNode(UUID id, String name, List<String> kinds) {
    public RegisteredNode {
      kinds = List.copyOf(kinds);
    }
  }

  /** Writes the row of a node that starts, alive for this long. Repeating it changes nothing. */
  void join(RegisteredNode registeredNode, Duration validity);

  /**
   * Keeps the row alive for this long from now, if it still is.
   *
   * @return every lease the node holds; empty when its row is no longer alive, and then for ever
   */
  Optional<List<LeaseKey>> renew(UUID node, Duration validity);

  /** Every lease that is still held under this id, whether its row is alive or not. */
  List<LeaseKey> leasesOf(UUID node);

  /** Takes the row away; what it still holds is found by {@link MaintenanceStore#orphans}. */
  void leave(UUID node);

  /** Marks the nodes dead whose rows have run out, at most this many, and tells which. */
  List<UUID> markExpiredDead(int limit);

  /** The nodes that are alive. */
  List<RegisteredNode> alive();
}
