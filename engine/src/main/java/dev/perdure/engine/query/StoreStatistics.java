// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.TaskState;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts over all tasks the store has, as far as that is cheap: live tasks as in {@link Backlog},
 * and of each shard the {@value #MAX_COUNTED} that ended last.
 *
 * @param byState how many are in each state; states without tasks are absent
 * @param due how many could be claimed now
 * @param retriesPending how many retries wait for their instant
 * @param exhausted how many failed with no retries left
 * @param pendingByKind how many wait to be claimed, due or not, by kind
 * @param retriesByKind how many retries wait, due or not, by kind
 * @param retriesByStrategy how many retries wait, by the backoff of their policy
 * @param successRate 100 × succeeded ÷ all tasks that had a retry, two decimals; null if none had
 * @param averageDelay the average of the delays that policies chose, of each shard's newest {@value
 *     #MAX_COUNTED} leases that ended; null if none did
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

  /** Of each shard a store looks at no more ended tasks, and no more waiting retries, than this. */
  public static final int MAX_COUNTED = 100_000;

  public StoreStatistics {
    byState = Map.copyOf(byState);
    pendingByKind = Map.copyOf(pendingByKind);
    retriesByKind = Map.copyOf(retriesByKind);
    retriesByStrategy = Map.copyOf(retriesByStrategy);
  }
}
