// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.spi.Deduplication.KeyHolder;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The tasks of a batch that do not run again in its next run, because live tasks have their dedupe
 * keys. What depends on them depends on the live tasks instead.
 *
 * @param holders by task, the live task that has its key
 * @param mustWait true if the run cannot start yet: no task is left, or a live task is itself
 *     waiting, or belongs to a batch with a retry policy. What depends on such a task waits until
 *     that batch is final. The task, or another of its batch, could wait for this batch, and then
 *     each would wait for the other
 */
public record HeldTasks(Map<UUID, UUID> holders, boolean mustWait) {

  /** How long a run that must wait is put off. */
  public static final Duration DELAY = Duration.ofSeconds(10);

  /** All tasks run again. */
  public static final HeldTasks NONE = new HeldTasks(Map.of(), false);

  public HeldTasks {
    holders = Map.copyOf(holders);
  }

  /**
   * Finds out which tasks are held.
   *
   * @param tasks the number of tasks of the batch
   * @param keys the dedupe keys of those that have one, by task
   * @param found the live tasks that have these keys, by key
   */
  public static HeldTasks of(int tasks, Map<UUID, String> keys, Map<String, KeyHolder> found) {
    Map<UUID, UUID> held = new HashMap<>();
    boolean anyWaits = false;
    for (Map.Entry<UUID, String> entry : keys.entrySet()) {
      KeyHolder holder = found.get(entry.getValue());
      if (holder != null) {
        held.put(entry.getKey(), holder.id());
        anyWaits |= holder.state() == TaskState.WAITING || holder.mayRunAgain();
      }
    }
    return held.isEmpty() ? NONE : new HeldTasks(held, anyWaits || held.size() == tasks);
  }
}
