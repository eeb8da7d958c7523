// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts what may run at once: on the whole node, and of each kind. Safe to share. */
final class Slots {

  private final int total;
  private final Map<String, Integer> limits = new HashMap<>();
  private final Map<String, Integer> taken = new HashMap<>();
  private int totalTaken;

  Slots(int total) {
    this.total = total;
  }

  synchronized void limit(String kind, int concurrency) {
    limits.put(kind, concurrency == 0 ? total : Math.min(concurrency, total));
  }

  synchronized int free() {
    return total - totalTaken;
  }

  int total() {
    return total;
  }

  /** The kinds that have room. */
  synchronized List<QueueCapacity> freeCapacity() {
    int free = free();
    List<QueueCapacity> queueCapacities = new ArrayList<>();
    limits.forEach(
        (kind, limit) -> {
          int room = Math.min(free, limit - taken.getOrDefault(kind, 0));
          if (room > 0) {
            queueCapacities.add(new QueueCapacity(kind, room));
          }
        });
    return queueCapacities;
  }

  synchronized void take(String kind) {
    taken.merge(kind, 1, Integer::sum);
    totalTaken++;
  }

  synchronized void release(String kind) {
    taken.merge(kind, -1, Integer::sum);
    totalTaken--;
  }
}
