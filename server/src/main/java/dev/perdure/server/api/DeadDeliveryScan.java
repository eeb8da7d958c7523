// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads dead deliveries, newest first, up to a limit. */
final class DeadDeliveryScan {

  /** A delivery is read with its request because the host is a part of it. */
  static final int MAX_LOOK = 5_000;

  /** Small, because each delivery is read with its request, which may have megabytes. */
  private static final int PAGE_SIZE = 50;

  private DeadDeliveryScan() {}

  /**
   * Passes deliveries to the consumer until it returns false.
   *
   * @param after where an earlier scan ended; null to begin
   * @return where to continue; null when there are no more
   */
  static @Nullable String forEach(
      Engine engine, @Nullable String after, Predicate<Delivery> consumer) {
    String cursor = after;
    for (int looked = 0; looked < MAX_LOOK; looked += PAGE_SIZE) {
      DeliveryPage page =
          engine
              .deliveries()
              .list(DeliveryFilter.in(DeliveryState.DEAD), new PageRequest(PAGE_SIZE, cursor));
      for (Delivery delivery : page.deliveries()) {
        if (!consumer.test(delivery)) {
          return delivery.id().toString();
        }
      }
      cursor = page.nextCursor();
      if (cursor == null) {
        return null;
      }
    }
    return cursor;
  }
}
