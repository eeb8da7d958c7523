// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.simulation.bug.PlantedBug;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation must find every planted bug, which shows that it can find bugs at all. */
@Tag("slow")
class PlantedBugTest {

  private static final long MAX_SEEDS = 500;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void is_found_within_500_seeds(PlantedBug bug) {
    Violations.Violation first =
        LongStream.rangeClosed(1, MAX_SEEDS)
            .mapToObj(
                seed -> SeedRange.run(seed, bug, EngineSimulation.TRACE_TAIL_LINES).violation())
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow(
                () -> new AssertionError(bug + " was not found in " + MAX_SEEDS + " seeds"));

    assertThat(expected(bug)).contains(first.invariant());
  }

  private static Set<Invariant> expected(PlantedBug bug) {
    return switch (bug) {
      case NONE -> Set.of();
      case NO_EPOCH_CHECK, NO_COUNT_CHECK, NO_VERSION_CHECK -> Set.of(Invariant.FENCING);
      case TWO_TRANSACTIONS -> Set.of(Invariant.NEVER_EARLY);
      case EARLY_ACKNOWLEDGEMENT -> Set.of(Invariant.LISTENER_MATCHES_STORE);
      case INSTANTS_AS_TEXT ->
          Set.of(
              Invariant.NEVER_EARLY,
              Invariant.EVENTUAL_COMPLETION,
              Invariant.ACKNOWLEDGED_WRITE_DURABLE,
              Invariant.REPLACED_BEFORE_START);
      case DEAD_NODE_RENEWED -> Set.of(Invariant.DEAD_NODE_STAYS_DEAD);
      case NO_RECONCILIATION, REVIVE_IGNORES_UNMET -> Set.of(Invariant.EVENTUAL_COMPLETION);
      case EVENT_AFTER_COMMIT ->
          Set.of(
              Invariant.EVENTUAL_COMPLETION,
              Invariant.OUTCOME_MATCHES_PARENT,
              Invariant.UPSTREAM_FAILURE_HAS_A_CAUSE);
      case RETRY_PENDING_PROPAGATED -> Set.of(Invariant.RETRY_NOT_PROPAGATED);
      case EDGE_TRIGGERED -> Set.of(Invariant.OUTCOME_MATCHES_PARENT, Invariant.NO_EVENT_LEFT);
      case PAUSED_CHILD_SKIPPED -> Set.of(Invariant.COUNTS_MATCH_DEPENDENCIES);
      case UPSTREAM_FAILURE_KEPT -> Set.of(Invariant.UPSTREAM_FAILURE_HAS_A_CAUSE);
      case RELEASED_BY_FIRST_PARENT -> Set.of(Invariant.DEPENDENCIES_MET_BEFORE_START);
      case RUN_PROPAGATED_EARLY -> Set.of(Invariant.PROPAGATED_WHEN_BATCH_IS_FINAL);
      case RUN_WITHOUT_GUARD -> Set.of(Invariant.ONE_RUN_PER_DECISION);
      case LOSS_KEEPS_PLACE, HAND_BACK_KEEPS_PLACE, RETRY_KEEPS_PLACE ->
          Set.of(Invariant.USE_MATCHES_TASKS);
      case ROOM_READ_BEFORE_LOCK ->
          Set.of(
              Invariant.WITHIN_LIMIT,
              Invariant.SWEEP_CORRECTS_NOTHING,
              Invariant.OPEN_LIMIT_IS_SERVED);
      case NO_WAKE_ON_FREE ->
          Set.of(Invariant.OPEN_LIMIT_IS_SERVED, Invariant.SWEEP_CORRECTS_NOTHING);
      case RATE_FROM_LAST_CLAIM -> Set.of(Invariant.RATE_IS_KEPT);
      case CHANGED_RULES_KEEP_PLACE, CHANGED_RULES_TAKE_NO_PLACE ->
          Set.of(Invariant.USE_MATCHES_TASKS, Invariant.SWEEP_CORRECTS_NOTHING);
      case DUPLICATES_FORGOTTEN -> Set.of(Invariant.DUPLICATE_IS_LIVE);
      case ENDED_TASK_KEEPS_KEY, RETRY_FREES_KEY ->
          Set.of(Invariant.ONE_LIVE_TASK_PER_KEY, Invariant.DUPLICATE_IS_LIVE);
      case CLAIMED_TASK_REPLACED -> Set.of(Invariant.REPLACED_BEFORE_START);
      case KIND_LIMIT_MISSES_RUNNING ->
          Set.of(
              Invariant.USE_MATCHES_TASKS,
              Invariant.WITHIN_LIMIT,
              Invariant.SWEEP_CORRECTS_NOTHING);
      case KIND_LIMIT_MISSES_DUE ->
          Set.of(Invariant.WITHIN_LIMIT, Invariant.USE_MATCHES_TASKS, Invariant.RATE_IS_KEPT);
      case SWEEP_IGNORES_EVENTS -> Set.of(Invariant.SWEEP_CORRECTS_NOTHING);
      case FIRING_IN_TWO_TRANSACTIONS -> Set.of(Invariant.ONE_FIRING_PER_INSTANT);
      case TASKS_AFTER_FIRING -> Set.of(Invariant.FIRED_HAS_TASKS);
      case NEXT_FROM_NOW, GAP_SKIPPED, SKIPPED_NOT_NOTED -> Set.of(Invariant.EVERY_INSTANT_NOTED);
      case RETRY_STOPS_FIRINGS -> Set.of(Invariant.OVERLAP_RULE_IS_KEPT);
    };
  }
}
