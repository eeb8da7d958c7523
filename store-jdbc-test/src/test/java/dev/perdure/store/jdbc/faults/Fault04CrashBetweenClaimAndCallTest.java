// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static dev.perdure.engine.task.TaskState.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.task.AttemptOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: the process died after it had claimed a task and before it ran it, and the task stayed
 * Running forever.
 */
class Fault04CrashBetweenClaimAndCallTest {

  private static final int VALIDITY = 25;
  private static final int SWEEP = 1;
  private static final int DELAY_AFTER_LOSS = 2;
  private static final int STEADY = 10;

  /** Returns the seconds until this node has completed all the tasks. */
  private static int secondsUntilDone(TestCluster cluster, int tasks, ManualNode node) {
    Instant from = cluster.clock.instant();
    for (int i = 0; i < 120 && cluster.count(SUCCESS) < tasks; i++) {
      cluster.advance(1, node);
      node.workers.runAll();
      node.loops.settle();
    }
    assertThat(cluster.count(SUCCESS)).isEqualTo(tasks);
    return (int) Duration.between(from, cluster.clock.instant()).toSeconds();
  }

  @ParameterizedTest
  @EnumSource
  void another_node_completes_the_task_within_half_a_minute(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode dies = cluster.node(TestCluster.SUCCEEDS);
      ManualNode lives = cluster.node(TestCluster.SUCCEEDS);
      UUID id = dies.engine.submit(TestCluster.task());
      dies.loops.claim();

      assertThat(secondsUntilDone(cluster, 1, lives))
          .isBetween(VALIDITY, VALIDITY + SWEEP + DELAY_AFTER_LOSS);
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
      assertThat(cluster.attempts(id)).extracting(attempt -> attempt.number()).containsOnly(0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_starts_later_completes_the_task(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode dies = cluster.node(TestCluster.SUCCEEDS);
      dies.engine.submit(TestCluster.task());
      dies.loops.claim();
      cluster.advance(Duration.ofDays(1));

      ManualNode next = cluster.node(TestCluster.SUCCEEDS);
      assertThat(secondsUntilDone(cluster, 1, next))
          .isBetween(STEADY, STEADY + SWEEP + DELAY_AFTER_LOSS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_unstarted_task_is_retried_at_once_without_a_loss(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode dies = cluster.node(TestCluster.SUCCEEDS);
      UUID dead = cluster.store().nodes().alive().getFirst().id();
      ManualNode lives = cluster.node(TestCluster.SUCCEEDS);
      UUID id = dies.engine.submit(TestCluster.task());
      claimWithoutStart(cluster, new LeaseOwner.NodeOwner(dead));

      assertThat(secondsUntilDone(cluster, 1, lives)).isBetween(VALIDITY, VALIDITY + SWEEP);
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
      assertThat(cluster.find(id).retryCounters().losses()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_of_a_dead_remote_worker_is_completed_after_its_lease(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode lives = cluster.node(TestCluster.SUCCEEDS);
      lives.engine.submit(TestCluster.task());
      claimWithoutStart(cluster, new LeaseOwner.RemoteOwner("elsewhere", Duration.ofSeconds(60)));

      assertThat(secondsUntilDone(cluster, 1, lives)).isBetween(60, 60 + SWEEP);
    }
  }

  @ParameterizedTest
  @EnumSource
  void all_tasks_of_a_full_node_are_completed(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode dies = cluster.node(1_000, TestCluster.SUCCEEDS);
      ManualNode lives = cluster.node(1_000, (payload, context) -> ran.add(context.task().id()));
      List<UUID> ids = dies.engine.submitAll(TestCluster.tasks(1_000, TestCluster.task())).ids();
      assertThat(dies.loops.claim()).isEqualTo(1_000);

      // More tasks than one sweep handles, so that a sweep that ignores the rest would be noticed.
      secondsUntilDone(cluster, ids.size(), lives);

      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private static void claimWithoutStart(TestCluster cluster, LeaseOwner leaseOwner) {
    List<ClaimRequest.QueueCapacity> capacity =
        List.of(new ClaimRequest.QueueCapacity(ManualNode.KIND, 1));
    assertThat(cluster.store().claim(new ClaimRequest(leaseOwner, capacity, 1, false)).leases())
        .hasSize(1);
  }
}
