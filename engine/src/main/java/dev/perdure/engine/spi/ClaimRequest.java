// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.util.List;

/**
 * Asks for work that can start now.
 *
 * @param owner who will hold it
 * @param queues the kinds it can do, and how many of each
 * @param limit how many in all
 * @param startNow true when the claim starts the attempts at once, as when each has a free slot
 *     waiting; false when {@link dev.perdure.engine.task.TaskEvent#START} is written later
 */
public record ClaimRequest(
    LeaseOwner owner, List<QueueCapacity> queues, int limit, boolean startNow) {

  /** The most tasks one claim takes. */
  public static final int MAX_TASKS = 10_000;

  public ClaimRequest {
    queues = List.copyOf(queues);
    if (limit < 1 || limit > MAX_TASKS) {
      throw new IllegalArgumentException("a claim takes 1 to " + MAX_TASKS + ", not " + limit);
    }
  }

  /** Room for this many tasks of a kind. */
  public record QueueCapacity(String queue, int free) {
    public QueueCapacity {
      if (free < 0) {
        throw new IllegalArgumentException("room must be 0 or more, not " + free);
      }
    }
  }
}
