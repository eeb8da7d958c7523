// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.Delivery;
import java.time.Instant;
import java.util.List;

/**
 * Deliveries that were claimed to be sent.
 *
 * @param deliveries the deliveries after the claim
 * @param now the database's clock at the claim
 */
public record ClaimedDeliveries(List<Delivery> deliveries, Instant now) {

  public ClaimedDeliveries {
    deliveries = List.copyOf(deliveries);
  }
}
