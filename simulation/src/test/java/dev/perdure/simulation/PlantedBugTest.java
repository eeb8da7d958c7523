// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.simulation.bug.Bug;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that finds nothing may be blind: each of these bugs must be found. */
class PlantedBugTest {

  private static final long MOST_SEEDS = 500;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void is_found_within_a_few_seeds(Bug bug) {
    Findings.Finding first =
        LongStream.rangeClosed(1, MOST_SEEDS)
            .mapToObj(seed -> Seeds.run(seed, bug, Simulation.LAST_LINES).finding())
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow(() -> new AssertionError(bug + " was not found in 500 seeds"));

    assertThat(expected(bug)).contains(first.invariant());
  }

  private static Set<Invariant> expected(Bug bug) {
    return switch (bug) {
      case NONE -> Set.of();
      case NO_EPOCH_CHECK -> Set.of(Invariant.FENCED);
      case TWO_TRANSACTIONS -> Set.of(Invariant.NEVER_EARLY);
      case SLOT_FREED_BEFORE_THE_WRITE -> Set.of(Invariant.TOLD_THE_TRUTH);
      case INSTANTS_AS_TEXT -> Set.of(Invariant.NEVER_EARLY, Invariant.EVERYTHING_ENDS);
      case LOST_LEASE_RENEWED -> Set.of(Invariant.LAPSED_FOR_EVER);
      case NO_RECONCILIATION -> Set.of(Invariant.EVERYTHING_ENDS);
    };
  }
}
