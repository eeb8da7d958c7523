// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.TaskState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ParentStatusTest {

  private static ParentStatus status(TaskState state, boolean upstreamFailed, int failed) {
    return new ParentStatus(state, upstreamFailed, new DependencyCounts(failed, failed));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // state, failed because of its parents, failed parents, required, even if failed
        "WAITING,       false, 0, -,         -",
        "WAITING,       false, 1, FAILED,    -",
        "PENDING,       false, 0, -,         -",
        "CLAIMED,       false, 0, -,         -",
        "RUNNING,       false, 0, -,         -",
        "RETRY_PENDING, false, 0, -,         -",
        "SUCCESS,       false, 0, SUCCEEDED, SUCCEEDED",
        "SUCCESS,       false, 1, SUCCEEDED, SUCCEEDED",
        "FAILURE,       false, 0, FAILED,    FAILED",
        "FAILURE,       true,  1, FAILED,    FAILED",
        "FAILURE,       true,  0, -,         FAILED",
        "CANCELED,      false, 0, FAILED,    FAILED",
        "CANCELED,      false, 1, FAILED,    FAILED",
      })
  void the_outcome_follows_from_the_state_and_a_failure_that_is_certain(
      TaskState state,
      boolean upstreamFailed,
      int failed,
      @Nullable DependencyOutcome required,
      @Nullable DependencyOutcome evenIfFailed) {
    ParentStatus status = status(state, upstreamFailed, failed);

    assertThat(status.outcomeFor(true, null)).isEqualTo(required);
    assertThat(status.outcomeFor(false, null)).isEqualTo(evenIfFailed);
    assertThat(status.outcomeFor(true, DependencyOutcome.FAILED))
        .as("a revive takes a failure back")
        .isEqualTo(required);
  }

  @ParameterizedTest
  @EnumSource
  void a_waived_dependency_stays_waived(TaskState state) {
    ParentStatus status = status(state, false, 0);

    assertThat(status.outcomeFor(true, DependencyOutcome.WAIVED))
        .isEqualTo(DependencyOutcome.WAIVED);
    assertThat(status.outcomeFor(false, DependencyOutcome.WAIVED))
        .isEqualTo(DependencyOutcome.WAIVED);
  }

  @ParameterizedTest
  @EnumSource
  void who_only_waits_for_the_end_does_not_wait_again(TaskState state) {
    assertThat(status(state, false, 0).outcomeFor(false, DependencyOutcome.FAILED))
        .isEqualTo(DependencyOutcome.FAILED);
  }

  @ParameterizedTest
  @EnumSource
  void a_task_is_decided_about_when_its_state_disagrees_with_its_parents(TaskState state) {
    assertThat(status(state, false, 0).needsDecision()).isFalse();
    assertThat(status(state, false, 1).mustFail()).isEqualTo(state == TaskState.WAITING);
    assertThat(status(state, false, 1).mustBeRevived()).isFalse();
  }

  @Test
  void a_task_that_failed_because_of_its_parents_is_revived_when_none_has_failed_any_more() {
    assertThat(status(TaskState.FAILURE, true, 1).needsDecision()).isFalse();
    assertThat(status(TaskState.FAILURE, true, 0).mustBeRevived()).isTrue();
    assertThat(status(TaskState.FAILURE, false, 0).needsDecision()).isFalse();
    assertThat(
            new ParentStatus(TaskState.FAILURE, true, new DependencyCounts(2, 0)).mustBeRevived())
        .as("although it will have to wait")
        .isTrue();
  }

  @Test
  void outcomes_have_stable_codes() {
    for (DependencyOutcome outcome : DependencyOutcome.values()) {
      assertThat(DependencyOutcome.ofCode(outcome.code())).isEqualTo(outcome);
    }
    assertThat(DependencyOutcome.ofCode(0)).isNull();
    assertThat(DependencyOutcome.SUCCEEDED.code()).isEqualTo(1);
    assertThat(DependencyOutcome.FAILED.code()).isEqualTo(2);
    assertThat(DependencyOutcome.WAIVED.code()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,         false, false",
        "SUCCEEDED, true,  true",
        "FAILED,    false, true",
        "WAIVED,    true,  true",
      })
  void an_outcome_satisfies_a_dependency_or_not(
      @Nullable DependencyOutcome outcome, boolean required, boolean evenIfFailed) {
    assertThat(DependencyOutcome.satisfies(outcome, true)).isEqualTo(required);
    assertThat(DependencyOutcome.satisfies(outcome, false)).isEqualTo(evenIfFailed);
  }
}
