// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the attempts that may run at once: on the whole node, and of each queue or kind.
 * Thread-safe.
 */
final class Slots {

  private final int total;
  private final Map<String, Integer> limits = new HashMap<>();
  private final Map<String, Integer> taken = new HashMap<>();
  private int totalTaken;

  Slots(int total) {
    this.total = total;
  }

  synchronized void limit(String queue, int concurrency) {
    limits.put(queue, concurrency == 0 ? total : Math.min(concurrency, total));
  }

  synchronized int free() {
    return total - totalTaken;
  }

  /** The queues and kinds that have free capacity. */
  synchronized List<QueueCapacity> freeCapacity() {
    int free = free();
    List<QueueCapacity> capacities = new ArrayList<>();
    limits.forEach(
        (queue, limit) -> {
          int available = Math.min(free, limit - taken.getOrDefault(queue, 0));
          if (available > 0) {
            capacities.add(new QueueCapacity(queue, available));
          }
        });
    return capacities;
  }

  synchronized void take(String queue) {
    taken.merge(queue, 1, Integer::sum);
    totalTaken++;
  }

  synchronized void release(String queue) {
    taken.merge(queue, -1, Integer::sum);
    totalTaken--;
  }
}
