// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After any sequence of operations on graphs, dependencies, counts and states agree. */
abstract class RandomGraphContract extends GraphContract {

  private static final int STEPS = 150;

  RandomGraphContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void equals_the_in_memory_store_after_every_step(long seed) {
    RandomGraphWalk walk = new RandomGraphWalk(store, clock, ids, seed);
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
    walk.compareParents();
  }

  /** Stores may differ in how far one call goes, but no call may leave a wrong count. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void counts_are_right_after_every_call(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    RandomInputs inputs = new RandomInputs(random, clock);
    List<UUID> tasks = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(8)) {
        case 0 -> tasks.addAll(submitRandom(random, inputs, tasks));
        case 1 -> claim(LIMIT, "a");
        case 2, 3 -> decide(store.dependencies().propagate(1 + random.nextInt(3)).undecided());
        default -> {
          if (!tasks.isEmpty()) {
            inputs.change(find(tasks.get(random.nextInt(tasks.size())))).ifPresent(this::apply);
          }
        }
      }
      tasks.forEach(this::assertCounted);
    }
    propagate(1 + random.nextInt(3));
    tasks.forEach(this::assertPropagated);
  }

  private List<UUID> submitRandom(RandomGenerator random, RandomInputs inputs, List<UUID> stored) {
    List<NewTaskRow> rows = new ArrayList<>();
    int size = 1 + random.nextInt(4);
    for (int i = 0; i < size; i++) {
      rows.add(new NewTaskRow(ids.next(0), inputs.definition("a"), inputs.due()));
    }
    store.submit(
        new Submission(
            ids.next(0), BatchDefinition.NONE, rows, inputs.dependencies(rows, stored), null));
    return rows.stream().map(NewTaskRow::id).toList();
  }
}
