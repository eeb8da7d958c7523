// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import java.util.UUID;

/** Makes ids for deliveries, ordered by time. */
@FunctionalInterface
public interface DeliveryIdGenerator {

  /** The next one of this shard. */
  UUID next(int shard);
}
