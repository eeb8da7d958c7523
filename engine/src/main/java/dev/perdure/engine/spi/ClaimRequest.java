// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.util.List;

/**
 * Asks for tasks that can start now.
 *
 * @param owner the owner of the leases
 * @param queues the queues to claim from, with the free capacity of each
 * @param limit maximum number of tasks over all queues
 * @param startNow true to start the attempts with the claim, when each has a free slot; false when
 *     {@link dev.perdure.engine.task.TaskEvent#START} is written later
 */
public record ClaimRequest(
    LeaseOwner owner, List<QueueCapacity> queues, int limit, boolean startNow) {

  /** Maximum number of tasks in one claim. */
  public static final int MAX_TASKS = 10_000;

  public ClaimRequest {
    queues = List.copyOf(queues);
    if (limit < 1 || limit > MAX_TASKS) {
      throw new IllegalArgumentException("limit: must be 1 to " + MAX_TASKS + ", not " + limit);
    }
  }

  /** How many tasks of a queue, or of a kind without a queue, can run. */
  public record QueueCapacity(String queue, int free) {
    public QueueCapacity {
      if (free < 0) {
        throw new IllegalArgumentException("free: must be 0 or more, not " + free);
      }
    }
  }
}
