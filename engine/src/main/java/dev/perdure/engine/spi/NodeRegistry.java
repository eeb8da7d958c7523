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

  /** Adds the row of a node that starts, alive for this long. Repeating it changes nothing. */
  void join(RegisteredNode node, Duration validity);

  /**
   * Keeps the row alive for this long from now, if it still is alive.
   *
   * @return every lease that the node holds; empty when its row has expired, which is final
   */
  Optional<List<LeaseKey>> renew(UUID node, Duration validity);

  /** Every lease that is held under this id, whether the row is alive or not. */
  List<LeaseKey> leasesOf(UUID node);

  /** Deletes the row; {@link MaintenanceStore#orphans} finds what the node still holds. */
  void leave(UUID node);

  /** Marks nodes as dead whose rows have expired, at most this many, and returns their ids. */
  List<UUID> markExpiredDead(int limit);

  /**
   * The name of the node that owns a lease, also if it died within the last day; empty when the
   * owner is a remote worker or an unknown node.
   */
  Optional<String> nameOf(String worker);

  /** The nodes that are alive. */
  List<RegisteredNode> alive();
}
