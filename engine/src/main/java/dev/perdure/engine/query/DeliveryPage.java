// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.Delivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of deliveries.
 *
 * @param nextCursor where the next page begins; null when this is the last page
 */
public record DeliveryPage(List<Delivery> deliveries, @Nullable String nextCursor) {

  public DeliveryPage {
    deliveries = List.copyOf(deliveries);
  }
}
