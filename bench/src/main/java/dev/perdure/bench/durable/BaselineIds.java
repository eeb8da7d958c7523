// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Creates ids of the same form as the engine's, in shard 0. Thread-safe. */
final class BaselineIds {

  private static final int COUNTER_BITS = 12;
  private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
  private static final long VERSION = 7L << COUNTER_BITS;
  private static final long VARIANT = 1L << 63;
  private static final long RANDOM_MASK = ((1L << 62) - 1) & ~0xFFFL;

  private final AtomicLong ticks = new AtomicLong(System.currentTimeMillis() << COUNTER_BITS);

  UUID next() {
    long tick = ticks.incrementAndGet();
    long high = ((tick >>> COUNTER_BITS) << 16) | VERSION | (tick & COUNTER_MASK);
    return new UUID(high, VARIANT | (ThreadLocalRandom.current().nextLong() & RANDOM_MASK));
  }
}
