// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.Task;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The deliveries of the in-memory store. */
final class DeliveryTable {

  private static final Comparator<Delivery> EARLIEST_DUE_FIRST =
      Comparator.<Delivery, Instant>comparing(delivery -> delivery.times().dueAt())
          .thenComparing(Delivery::id, IdOrder.BYTEWISE);

  private final NavigableMap<UUID, Delivery> all = new TreeMap<>(IdOrder.BYTEWISE);

  void add(Task task, List<NewDelivery> deliveries, Instant now) {
    for (NewDelivery delivery : deliveries) {
      put(
          new Delivery(
              delivery.id(),
              task.id(),
              task.batch(),
              delivery.message(),
              DeliveryState.PENDING,
              0,
              0,
              new Delivery.DeliveryTimes(now, now, now, null, now, null),
              null));
    }
  }

  void put(Delivery delivery) {
    all.put(delivery.id(), delivery);
  }

  @Nullable Delivery find(UUID id) {
    return all.get(id);
  }

  List<Delivery> due(Instant now, int limit) {
    return all.values().stream()
        .filter(
            delivery ->
                delivery.state() == DeliveryState.PENDING
                    && StoredTask.isReached(delivery.times().dueAt(), now))
        .sorted(EARLIEST_DUE_FIRST)
        .limit(limit)
        .toList();
  }

  Stream<Delivery> newestFirst() {
    return all.descendingMap().values().stream();
  }

  /** Returns whether the batch has a pending delivery. */
  boolean isPending(UUID batch) {
    return all.values().stream()
        .anyMatch(
            delivery ->
                delivery.batch().equals(batch) && delivery.state() == DeliveryState.PENDING);
  }

  void deleteOf(UUID task) {
    all.values().removeIf(delivery -> delivery.task().equals(task));
  }
}
