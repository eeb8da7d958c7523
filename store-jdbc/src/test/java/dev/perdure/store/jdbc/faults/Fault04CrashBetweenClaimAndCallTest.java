// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static dev.perdure.engine.task.TaskState.CLAIMED;
import static dev.perdure.engine.task.TaskState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
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
  private static int secondsUntilDone(TestCluster testCluster, UUID id, ManualNode node) {
    Instant from = testCluster.clock.instant();
    for (int i = 0; i < 120; i++) {
      testCluster.advance(1, node);
      node.workers.runAll();
      node.loops.settle();
      if (testCluster.find(id).state() == TaskState.SUCCESS) {
        break;
      }
    }
    assertThat(testCluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(testCluster.count(CLAIMED, RUNNING)).isZero();
    return (int) Duration.between(from, testCluster.clock.instant()).toSeconds();
  }

  @ParameterizedTest
  @EnumSource
  void another_node_does_it_within_half_a_minute(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode dies = testCluster.node(TestCluster.SUCCEEDS);
      ManualNode lives = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = dies.engine.submit(TestCluster.task());
      dies.loops.claim();

      assertThat(secondsUntilDone(testCluster, id, lives))
          .isBetween(VALIDITY, VALIDITY + SWEEP + WAIT_AFTER_A_LOSS);
      assertThat(testCluster.outcomes(id))
          .containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
      assertThat(testCluster.attempts(id)).extracting(attempt -> attempt.number()).containsOnly(0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_starts_afterwards_does_it_when_all_others_are_dead(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode dies = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = dies.engine.submit(TestCluster.task());
      dies.loops.claim();
      testCluster.advance(Duration.ofDays(1));

      ManualNode next = testCluster.node(TestCluster.SUCCEEDS);
      assertThat(secondsUntilDone(testCluster, id, next))
          .isBetween(STEADY, STEADY + SWEEP + WAIT_AFTER_A_LOSS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_had_not_even_started_waits_for_nothing_and_counts_no_loss(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode dies = testCluster.node(TestCluster.SUCCEEDS);
      UUID dead = testCluster.store().nodes().alive().getFirst().id();
      ManualNode lives = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = dies.engine.submit(TestCluster.task());
      claimWithoutStart(testCluster, new LeaseOwner.NodeOwner(dead));

      assertThat(secondsUntilDone(testCluster, id, lives)).isBetween(VALIDITY, VALIDITY + SWEEP);
      assertThat(testCluster.outcomes(id))
          .containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
      assertThat(testCluster.find(id).retryCounters().losses()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_remote_worker_left_is_done_when_its_lease_has_run_out(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode lives = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = lives.engine.submit(TestCluster.task());
      claimWithoutStart(
          testCluster, new LeaseOwner.RemoteOwner("elsewhere", Duration.ofSeconds(60)));

      assertThat(secondsUntilDone(testCluster, id, lives)).isBetween(60, 60 + SWEEP);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothing_of_a_full_node_is_left_behind(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode dies = testCluster.node(1_000, TestCluster.SUCCEEDS);
      ManualNode lives =
          testCluster.node(1_000, (payload, context) -> ran.add(context.task().id()));
      List<UUID> ids = dies.engine.submitAll(TestCluster.tasks(1_000, TestCluster.task())).ids();
      assertThat(dies.loops.claim()).isEqualTo(1_000);

      secondsUntilDone(testCluster, ids.getLast(), lives);
      testCluster.advance(5, lives);
      lives.claimAndRun();

      // More than one sweep moves at once, so that a sweep that forgets the rest would be seen.
      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private static void claimWithoutStart(TestCluster testCluster, LeaseOwner leaseOwner) {
    List<ClaimRequest.QueueCapacity> room =
        List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1));
    assertThat(testCluster.store().claim(new ClaimRequest(leaseOwner, room, 1, false)).leases())
        .hasSize(1);
  }
}
