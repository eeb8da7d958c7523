// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Checks the outbox at the end of a run. */
final class DeliveryChecker {

  private DeliveryChecker() {}

  /** Compares all deliveries with the ends that were written. */
  static void check(World world) {
    Map<UUID, List<String>> delivered = new HashMap<>();
    Outbox outbox = world.database.outbox();
    String after = null;
    do {
      DeliveryPage page =
          outbox.list(DeliveryFilter.all(), new PageRequest(PageRequest.MAX_SIZE, after));
      for (Delivery delivery : page.deliveries()) {
        delivered
            .computeIfAbsent(delivery.task(), task -> new ArrayList<>())
            .add(delivery.message().request());
      }
      after = page.nextCursor();
    } while (after != null);
    for (TaskChecker task : world.checker.tasks()) {
      List<String> found = delivered.getOrDefault(task.id(), List.of()).stream().sorted().toList();
      world.violations.require(
          found.equals(task.ends().stream().sorted().toList()),
          Invariant.ONE_DELIVERY_PER_END,
          "%s ended as %s, but the outbox has %s"
              .formatted(Trace.shortId(task.id()), task.ends(), found));
    }
  }
}
