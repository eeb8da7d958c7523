// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Shards;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Generates ids: UUIDs of version 7, which sort by time, with the shard in the last twelve bits.
 * The clock only orders them; nothing is decided by it. Thread-safe.
 */
final class IdGenerator {

  private static final int COUNTER_BITS = 12;
  private static final int COUNTER_MASK = (1 << COUNTER_BITS) - 1;
  private static final long VERSION = 7L << COUNTER_BITS;
  private static final long VARIANT = 1L << 63;
  private static final long RANDOM_MASK = ((1L << 62) - 1) & ~(Shards.MAX_SHARDS - 1L);

  private final InstantSource clock;
  private final RandomGenerator random;
  private long ticks;

  IdGenerator(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  UUID next(int shard) {
    long tick;
    long randomBits;
    synchronized (this) {
      // Ids keep growing when the clock stands still or goes back, and when 4096 per millisecond
      // are not enough.
      ticks = Math.max(ticks + 1, clock.millis() << COUNTER_BITS);
      tick = ticks;
      randomBits = random.nextLong();
    }
    long time = tick >>> COUNTER_BITS;
    long high = (time << 16) | VERSION | (tick & COUNTER_MASK);
    return new UUID(high, VARIANT | (randomBits & RANDOM_MASK) | shard);
  }

  /** A random shard. */
  synchronized int anyShard(int shards) {
    return shards == 1 ? 0 : random.nextInt(shards);
  }
}
