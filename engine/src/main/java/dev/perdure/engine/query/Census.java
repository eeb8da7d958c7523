// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A count of the live tasks that stops after {@value #MAX_COUNTED} of each shard.
 *
 * @param at the database's clock when they were counted
 * @param due tasks that could be claimed now, by kind and queue
 * @param parked tasks that no handler can read
 * @param retriesByKind retries that are not held back, counted separately and so also when capped
 * @param nextRetryAt when the next retry becomes due; null if none waits
 * @param capped whether there are more live tasks than were counted
 */
public record Census(
    Instant at,
    Backlog backlog,
    List<DueTasks> due,
    long parked,
    Map<String, Long> retriesByKind,
    @Nullable Instant nextRetryAt,
    boolean capped) {

  public static final int MAX_COUNTED = 100_000;

  public Census {
    due = List.copyOf(due);
    retriesByKind = Map.copyOf(retriesByKind);
  }

  /**
   * Tasks of a kind that could be claimed now.
   *
   * @param queue the queue that they are claimed from; null if they are claimed by kind
   */
  public record DueTasks(String kind, @Nullable String queue, long count, Instant oldestDueAt) {

    /** What a worker asks for to get these tasks. */
    public String claimedAs() {
      return queue == null ? kind : queue;
    }
  }
}
