// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.DisplayStatus;
import java.util.Map;

/**
 * Counts of the tasks that have not ended. The cost does not depend on how many have.
 *
 * @param byStatus tasks that show each live status; statuses without tasks are absent
 * @param due tasks that could be claimed now
 * @param retriesPending retries that wait until they are due
 * @param pendingByKind tasks that wait to be claimed, due or not, by kind
 */
public record Backlog(
    Map<DisplayStatus, Long> byStatus,
    long due,
    long retriesPending,
    Map<String, Long> pendingByKind) {

  /** A store counts at most this many tasks in each shard. */
  public static final int MAX_COUNTED = 1_000_000;

  public Backlog {
    byStatus = Map.copyOf(byStatus);
    pendingByKind = Map.copyOf(pendingByKind);
  }
}
