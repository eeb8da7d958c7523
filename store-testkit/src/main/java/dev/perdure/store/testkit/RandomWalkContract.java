// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is done to it, the store looks like the model. */
abstract class RandomWalkContract extends StoreContract {

  private static final int STEPS = 200;

  RandomWalkContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void looks_like_the_model_after_every_step(long seed) {
    store.nodes().leave(node);
    RandomWalk randomWalk = new RandomWalk(store, clock, ids, seed);
    for (int step = 0; step < STEPS; step++) {
      try {
        randomWalk.step();
        randomWalk.compare();
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError(
            "broken with seed %d at step %d, %s: %s"
                .formatted(seed, step, randomWalk.lastAction(), broken.getMessage()),
            broken);
      }
    }
    randomWalk.compareHistories();
  }
}
