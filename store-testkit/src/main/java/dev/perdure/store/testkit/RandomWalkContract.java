// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After any sequence of operations, the store holds the same data as the in-memory store. */
abstract class RandomWalkContract extends StoreContract {

  private static final int STEPS = 200;

  RandomWalkContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void equals_the_in_memory_store_after_every_step(long seed) {
    store.nodes().leave(node);
    RandomWalk walk = new RandomWalk(store, clock, ids, seed);
    for (int step = 0; step < STEPS; step++) {
      try {
        walk.step();
        walk.compare();
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError(
            "failed with seed %d at step %d, %s: %s"
                .formatted(seed, step, walk.lastAction(), failure.getMessage()),
            failure);
      }
    }
    walk.compareHistories();
  }
}
