// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.perdure.simulation.EngineSimulation.SimulationResult;
import dev.perdure.simulation.bug.PlantedBug;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EngineSimulationTest {

  private static final long SEEDS = Long.getLong("simulation.seeds", 150);
  private static final long REPLAY_SEED = Long.getLong("simulation.seed", 0);

  @Test
  void no_seed_breaks_an_invariant_and_every_coverage_point_is_reached() {
    if (REPLAY_SEED != 0) {
      replay();
      return;
    }
    SeedRange range = SeedRange.run(1, SEEDS, PlantedBug.NONE);
    System.out.println(range.summary());
    range.failures().stream()
        .limit(1)
        .forEach(first -> fail(SeedRange.explain(first, PlantedBug.NONE)));
    assertThat(range.uncovered()).isEmpty();
  }

  private static void replay() {
    SimulationResult result = SeedRange.run(REPLAY_SEED, PlantedBug.NONE, Integer.MAX_VALUE);
    result.trace().forEach(System.out::println);
    System.out.println(SeedRange.summary(result));
    assertThat(result.violation()).isNull();
  }

  @Test
  void the_same_seed_gives_the_same_trace() {
    for (long seed = 1; seed <= 10; seed++) {
      SimulationResult once = SeedRange.run(seed, PlantedBug.NONE, Integer.MAX_VALUE);
      SimulationResult again = SeedRange.run(seed, PlantedBug.NONE, Integer.MAX_VALUE);

      assertThat(again.trace()).isEqualTo(once.trace());
      assertThat(again.hash()).isEqualTo(once.hash());
    }
  }

  @Test
  void another_seed_gives_another_trace() {
    assertThat(SeedRange.run(1, PlantedBug.NONE, 1).hash())
        .isNotEqualTo(SeedRange.run(2, PlantedBug.NONE, 1).hash());
  }
}
