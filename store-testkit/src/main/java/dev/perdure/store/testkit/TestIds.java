// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates ids like the engine's: increasing with time and containing the shard, but without
 * randomness.
 */
final class TestIds {

  private static final int SHARD_BITS = 12;
  private static final long VERSION = 7L << SHARD_BITS;
  private static final long VARIANT = 1L << 63;

  private final InstantSource clock;
  private final AtomicLong count = new AtomicLong();

  TestIds(InstantSource clock) {
    this.clock = clock;
  }

  UUID next(int shard) {
    long high = (clock.millis() << 16) | VERSION;
    return new UUID(high, VARIANT | (count.incrementAndGet() << SHARD_BITS) | shard);
  }
}
