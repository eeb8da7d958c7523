// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import java.util.UUID;

/** Generates ids for deliveries, ordered by time. */
@FunctionalInterface
public interface DeliveryIdGenerator {

  /** The next id in this shard. */
  UUID next(int shard);
}
