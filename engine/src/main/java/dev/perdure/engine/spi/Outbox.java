// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.query.DeliveryReader;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.NewDelivery;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The deliveries. They come into being with {@link TaskWriter#apply}, exactly when the change they
 * tell of was written, or on their own, and go with the batch of their task.
 */
public interface Outbox extends DeliveryReader {

  /** The most deliveries that are taken, or settled, at once. */
  int MAX_BATCH_SIZE = 1_000;

  /**
   * Takes due deliveries, the longest due first. Each gets an epoch one higher than before and is
   * nobody else's for the length of the lease; after that it is due again. None is ever taken by
   * two claims at once, and none before it is due.
   *
   * @param limit 1 to {@link #MAX_BATCH_SIZE}
   */
  ClaimedDeliveries claim(int limit, Duration lease);

  /**
   * Lets leases last this long from now, each whose epoch is still the delivery's and which was not
   * settled before. The others change nothing.
   *
   * @param taken as they were claimed, at most {@link #MAX_BATCH_SIZE}
   */
  void extendLeases(List<Delivery> taken, Duration lease);

  /**
   * Writes how sendings ended. An update whose epoch is no longer the delivery's, or whose delivery
   * was settled before, changes nothing.
   *
   * @param updates at most {@link #MAX_BATCH_SIZE}
   * @return one answer per update, in the same order: true when it was written
   */
  List<Boolean> settle(List<DeliveryUpdate> updates);

  /**
   * Writes a delivery that tells of no change of its task.
   *
   * @return false when there is no such task
   */
  boolean enqueue(UUID task, NewDelivery delivery);

  /**
   * Makes a delivery that was sent or given up due at once; its policy counts anew.
   *
   * @return false when it is neither, when there is none of this id, or when its batch is being
   *     deleted
   */
  boolean redeliver(UUID id);
}
