// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.IdOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node that is alive or died within the last day.
 *
 * @param kinds kinds and queues that it has handlers for
 * @param load what it last reported; null if it never did
 * @param seenAt when it last reported; null if it never did
 * @param deadAt when another node noticed its death; null while it counts as alive
 */
public record NodeDetails(
    UUID id,
    String name,
    List<String> kinds,
    @Nullable NodeLoad load,
    Instant joinedAt,
    @Nullable Instant seenAt,
    Instant expiresAt,
    @Nullable Instant deadAt) {

  /** A node that has not reported for longer than this is late. */
  public static final Duration LATE_AFTER = Duration.ofSeconds(10);

  public NodeDetails {
    kinds = List.copyOf(kinds);
  }

  /** In the order in which they joined. */
  public static List<NodeDetails> inOrder(List<NodeDetails> nodes) {
    return nodes.stream()
        .sorted(
            Comparator.comparing(NodeDetails::joinedAt)
                .thenComparing(NodeDetails::id, IdOrder.BYTEWISE))
        .toList();
  }

  /** Whether a node works. */
  public enum NodeState {
    ALIVE,
    LATE,
    DEAD;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public NodeState state(Instant now) {
    if (deadAt != null) {
      return NodeState.DEAD;
    }
    boolean late = !expiresAt.isAfter(now) || lastSeen().plus(LATE_AFTER).isBefore(now);
    return late ? NodeState.LATE : NodeState.ALIVE;
  }

  /** When it was last known to work. */
  public Instant lastSeen() {
    return seenAt == null ? joinedAt : seenAt;
  }
}
