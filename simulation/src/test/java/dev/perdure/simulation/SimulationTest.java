// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.perdure.simulation.Simulation.Report;
import dev.perdure.simulation.bug.Bug;
import org.junit.jupiter.api.Test;

class SimulationTest {

  private static final long SEEDS = Long.getLong("simulation.seeds", 200);
  private static final long REPLAYED = Long.getLong("simulation.seed", 0);

  @Test
  void no_seed_breaks_a_promise_and_together_they_meet_every_situation() {
    if (REPLAYED != 0) {
      replay();
      return;
    }
    Seeds seeds = Seeds.run(1, SEEDS, Bug.NONE);
    System.out.println(seeds.summary());
    seeds.failures().stream().limit(1).forEach(first -> fail(Seeds.explain(first, Bug.NONE)));
    assertThat(seeds.unseen()).isEmpty();
  }

  private static void replay() {
    Report report = Seeds.run(REPLAYED, Bug.NONE, Integer.MAX_VALUE);
    report.trace().forEach(System.out::println);
    System.out.println(Seeds.summary(report));
    assertThat(report.finding()).isNull();
  }

  @Test
  void the_same_seed_gives_the_same_trace() {
    for (long seed = 1; seed <= 10; seed++) {
      Report once = Seeds.run(seed, Bug.NONE, Integer.MAX_VALUE);
      Report again = Seeds.run(seed, Bug.NONE, Integer.MAX_VALUE);

      assertThat(again.trace()).isEqualTo(once.trace());
      assertThat(again.hash()).isEqualTo(once.hash());
    }
  }

  @Test
  void another_seed_gives_another_trace() {
    assertThat(Seeds.run(1, Bug.NONE, 1).hash()).isNotEqualTo(Seeds.run(2, Bug.NONE, 1).hash());
  }
}
