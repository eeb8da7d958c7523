// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.DeliveryReader;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.NewDelivery;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stored deliveries. {@link TaskWriter#apply} writes them in the transaction of the change that
 * causes them; {@link #enqueue} writes single ones. They are purged with the batch of their task.
 */
public interface Outbox extends DeliveryReader {

  /** Maximum number of deliveries that one call claims, extends or settles. */
  int MAX_BATCH_SIZE = 1_000;

  /**
   * Claims due deliveries, the longest due first. Each gets the next epoch and a lease; when the
   * lease expires, it is due again. No delivery is claimed twice at once, and none before it is
   * due.
   *
   * @param limit 1 to {@link #MAX_BATCH_SIZE}
   */
  ClaimedDeliveries claim(int limit, Duration lease);

  /**
   * Extends leases to this long from now. A lease whose epoch is no longer the delivery's, or whose
   * delivery is settled, does not change.
   *
   * @param claimed the deliveries as they were claimed, at most {@link #MAX_BATCH_SIZE}
   */
  void extendLeases(List<Delivery> claimed, Duration lease);

  /**
   * Writes the results of delivery attempts. An update whose epoch is no longer the delivery's, or
   * whose delivery was settled before, changes nothing.
   *
   * @param updates at most {@link #MAX_BATCH_SIZE}
   * @return one answer per update, in the same order: true when it was written
   */
  List<Boolean> settle(List<DeliveryUpdate> updates);

  /**
   * Adds a delivery that does not belong to a change of its task.
   *
   * @return false when there is no such task
   */
  boolean enqueue(UUID task, NewDelivery delivery);

  /**
   * Makes a delivery due at once that was sent or given up; its retry policy starts over.
   *
   * @return false when the delivery is pending, does not exist, or its batch is being purged
   */
  default boolean redeliver(UUID id) {
    return redeliver(id, null, Duration.ZERO);
  }

  /**
   * The same, but it is due only after this delay, from which its retry policy starts over.
   *
   * @param from the state that it must have; null for both
   */
  boolean redeliver(UUID id, @Nullable DeliveryState from, Duration delay);
}
