// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.query;

import dev.perdure.engine.task.Delivery;
import java.util.Optional;
import java.util.UUID;

/** Reads deliveries. */
public interface DeliveryReader {

  Optional<Delivery> find(UUID id);

  /** One page, newest first. */
  DeliveryPage list(DeliveryFilter filter, PageRequest page);
}
