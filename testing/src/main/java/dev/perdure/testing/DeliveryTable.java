// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
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

/** The model's deliveries. */
final class DeliveryTable {

  private static final Comparator<Delivery> MAX_DUE_FIRST =
      Comparator.<Delivery, Instant>comparing(one -> one.times().dueAt())
          .thenComparing(Delivery::id, StoredTask.ID_ORDER);

  private final NavigableMap<UUID, Delivery> all = new TreeMap<>(StoredTask.ID_ORDER);

  void add(Task task, List<NewDelivery> news, Instant now) {
    for (NewDelivery one : news) {
      put(
          new Delivery(
              one.id(),
              task.id(),
              task.batch(),
              one.message(),
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
            one ->
                one.state() == DeliveryState.PENDING
                    && StoredTask.isReached(one.times().dueAt(), now))
        .sorted(MAX_DUE_FIRST)
        .limit(limit)
        .toList();
  }

  Stream<Delivery> newestFirst() {
    return all.descendingMap().values().stream();
  }

  /** True while something of the batch is still to be sent. */
  boolean isPending(UUID batch) {
    return all.values().stream()
        .anyMatch(one -> one.batch().equals(batch) && one.state() == DeliveryState.PENDING);
  }

  void deleteOf(UUID task) {
    all.values().removeIf(one -> one.task().equals(task));
  }
}
