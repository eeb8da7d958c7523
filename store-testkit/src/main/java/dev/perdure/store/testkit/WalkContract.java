// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is done to it, the store looks like the model. */
abstract class WalkContract extends StoreContract {

  private static final int STEPS = 200;

  WalkContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void looks_like_the_model_after_every_step(long seed) {
    store.nodes().leave(node);
    Walk walk = new Walk(store, clock, ids, seed);
    for (int step = 0; step < STEPS; step++) {
      try {
        walk.step();
        walk.compare();
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError(
            "broken with seed %d at step %d, %s: %s"
                .formatted(seed, step, walk.last(), broken.getMessage()),
            broken);
      }
    }
    walk.compareHistories();
  }
}
