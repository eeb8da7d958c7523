// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.TaskState;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts of all tasks in the store, within limits that keep them cheap: live tasks as in {@link
 * Backlog}, and in each shard the {@value #MAX_COUNTED} tasks that ended last.
 *
 * @param byState tasks in each state; states without tasks are absent
 * @param due tasks that could be claimed now
 * @param retriesPending retries that wait until they are due
 * @param exhausted tasks that failed because no retries were left
 * @param pendingByKind tasks that wait to be claimed, due or not, by kind
 * @param retriesByKind waiting retries, due or not, by kind
 * @param retriesByStrategy waiting retries by the backoff of their policy
 * @param successRate 100 × succeeded ÷ all tasks that had a retry, two decimals; null if none had
 * @param averageDelay the average delay that policies chose, over the newest {@value #MAX_COUNTED}
 *     ended leases of each shard; null if there are none
 */
public record StoreStatistics(
    Map<TaskState, Long> byState,
    long due,
    long retriesPending,
    long exhausted,
    Map<String, Long> pendingByKind,
    Map<String, Long> retriesByKind,
    Map<String, Long> retriesByStrategy,
    @Nullable BigDecimal successRate,
    @Nullable Duration averageDelay) {

  /** A store reads at most this many ended tasks, and as many waiting retries, in each shard. */
  public static final int MAX_COUNTED = 100_000;

  public StoreStatistics {
    byState = Map.copyOf(byState);
    pendingByKind = Map.copyOf(pendingByKind);
    retriesByKind = Map.copyOf(retriesByKind);
    retriesByStrategy = Map.copyOf(retriesByStrategy);
  }
}
