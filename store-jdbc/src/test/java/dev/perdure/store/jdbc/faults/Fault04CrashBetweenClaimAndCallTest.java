// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static dev.perdure.engine.task.TaskState.CLAIMED;
import static dev.perdure.engine.task.TaskState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The process died when it had claimed the task and called nobody: the task was Running for ever.
 */
class Fault04CrashBetweenClaimAndCallTest {

  private static final int VALIDITY = 25;
  private static final int SWEEP = 1;
  private static final int WAIT_AFTER_A_LOSS = 2;
  private static final int STEADY = 10;

  /** Seconds until the one task was done by this node, which works second by second. */
  private static int secondsUntilDone(Stage stage, UUID id, StepNode node) {
    Instant from = stage.clock.instant();
    for (int i = 0; i < 120; i++) {
      stage.pass(1, node);
      node.desk.runAll();
      node.does.settle();
      if (stage.find(id).state() == TaskState.SUCCESS) {
        break;
      }
    }
    assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(stage.count(CLAIMED, RUNNING)).isZero();
    return (int) Duration.between(from, stage.clock.instant()).toSeconds();
  }

  @ParameterizedTest
  @EnumSource
  void another_node_does_it_within_half_a_minute(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode dies = stage.node(Stage.DOES_IT);
      StepNode lives = stage.node(Stage.DOES_IT);
      UUID id = dies.engine.submit(Stage.task());
      dies.does.claim();

      assertThat(secondsUntilDone(stage, id, lives))
          .isBetween(VALIDITY, VALIDITY + SWEEP + WAIT_AFTER_A_LOSS);
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
      assertThat(stage.attempts(id)).extracting(attempt -> attempt.number()).containsOnly(0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_starts_afterwards_does_it_when_all_others_are_dead(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode dies = stage.node(Stage.DOES_IT);
      UUID id = dies.engine.submit(Stage.task());
      dies.does.claim();
      stage.pass(Duration.ofDays(1));

      StepNode next = stage.node(Stage.DOES_IT);
      assertThat(secondsUntilDone(stage, id, next))
          .isBetween(STEADY, STEADY + SWEEP + WAIT_AFTER_A_LOSS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_had_not_even_started_waits_for_nothing_and_counts_no_loss(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode dies = stage.node(Stage.DOES_IT);
      UUID dead = stage.store().nodes().alive().getFirst().id();
      StepNode lives = stage.node(Stage.DOES_IT);
      UUID id = dies.engine.submit(Stage.task());
      claimWithoutStart(stage, new Holder.OfNode(dead));

      assertThat(secondsUntilDone(stage, id, lives)).isBetween(VALIDITY, VALIDITY + SWEEP);
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
      assertThat(stage.find(id).counting().losses()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_remote_worker_left_is_done_when_its_lease_has_run_out(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode lives = stage.node(Stage.DOES_IT);
      UUID id = lives.engine.submit(Stage.task());
      claimWithoutStart(stage, new Holder.OfWorker("elsewhere", Duration.ofSeconds(60)));

      assertThat(secondsUntilDone(stage, id, lives)).isBetween(60, 60 + SWEEP);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothing_of_a_full_node_is_left_behind(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      List<UUID> ran = new ArrayList<>();
      StepNode dies = stage.node(1_000, Stage.DOES_IT);
      StepNode lives = stage.node(1_000, (payload, context) -> ran.add(context.task().id()));
      List<UUID> ids = dies.engine.submit(Stage.tasks(1_000, Stage.task()));
      assertThat(dies.does.claim()).isEqualTo(1_000);

      secondsUntilDone(stage, ids.getLast(), lives);
      stage.pass(5, lives);
      lives.work();

      // More than one sweep moves at once, so that a sweep that forgets the rest would be seen.
      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private static void claimWithoutStart(Stage stage, Holder holder) {
    List<ClaimRequest.Room> room = List.of(new ClaimRequest.Room(StepNode.KIND, 1));
    assertThat(stage.store().claim(new ClaimRequest(holder, room, 1, false)).leases()).hasSize(1);
  }
}
