// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.TaskState;
import java.util.Map;

/**
 * Counts over the tasks that have not ended. What they cost does not depend on how many have.
 *
 * @param byState how many are in each live state; states without tasks are absent
 * @param due how many could be claimed now
 * @param retriesPending how many retries wait for their instant
 * @param pendingByKind how many wait to be claimed, due or not, by kind
 */
public record Backlog(
    Map<TaskState, Long> byState, long due, long retriesPending, Map<String, Long> pendingByKind) {

  /** Of each shard a store counts no further than this. */
  public static final int MAX_COUNTED = 1_000_000;

  public Backlog {
    byState = Map.copyOf(byState);
    pendingByKind = Map.copyOf(pendingByKind);
  }
}
