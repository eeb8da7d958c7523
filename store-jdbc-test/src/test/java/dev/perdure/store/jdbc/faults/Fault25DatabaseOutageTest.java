// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: the database was unavailable for longer than the leases. Afterwards every running task
 * counted as lost, and some failed because of it.
 */
class Fault25DatabaseOutageTest {

  private static final int EACH = 5;

  /** Two nodes, each running as many tasks as it has slots. */
  private static final class Cluster {

    final TestCluster cluster;
    final BlockingHandler first = BlockingHandler.interruptible();
    final BlockingHandler second = BlockingHandler.interruptible();
    final ManualNode one;
    final ManualNode two;
    final List<UUID> ids;

    Cluster(TestCluster testCluster) throws InterruptedException {
      this.cluster = testCluster;
      one = testCluster.node(EACH, first);
      two = testCluster.node(EACH, second);
      ids = one.engine.submitAll(TestCluster.tasks(2 * EACH, TestCluster.task())).ids();
      testCluster.advance(20, one, two);
      startAll();
    }

    /** Starts all claimed tasks. */
    void startAll() throws InterruptedException {
      one.workers.startAll();
      two.workers.startAll();
      for (int i = 0; i < EACH; i++) {
        first.awaitStarted();
        second.awaitStarted();
      }
    }

    /** Waits until the interrupted handlers have ended. */
    void awaitEnds() throws InterruptedException {
      one.workers.awaitAll();
      two.workers.awaitAll();
    }

    void disconnect(int seconds) {
      one.faults.disconnect();
      two.faults.disconnect();
      cluster.advance(seconds, one, two);
    }

    void reconnect(int seconds) {
      one.faults.reconnect();
      two.faults.reconnect();
      cluster.advance(seconds, one, two);
    }

    /** Runs everything to its end and asserts that nothing was lost or counted. */
    void finishAndCheck() throws InterruptedException {
      first.release();
      second.release();
      for (int i = 0; i < 60; i++) {
        cluster.advance(1, one, two);
        one.workers.runAll();
        two.workers.runAll();
      }
      for (UUID id : ids) {
        Task task = cluster.find(id);
        assertThat(task.state()).isEqualTo(TaskState.SUCCESS);
        assertThat(task.retryCounters().losses()).isZero();
        assertThat(task.retryCounters().attempt()).isZero();
        assertThat(cluster.outcomes(id))
            .doesNotContain(AttemptOutcome.LOST, AttemptOutcome.FAILURE)
            .endsWith(AttemptOutcome.SUCCESS);
      }
      assertThat(one.loops.unsettled() + two.loops.unsettled()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void both_nodes_stop_their_work_and_hand_it_back_after_the_outage(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      // The last renewal was up to five seconds before the outage.
      cluster.disconnect(9);
      assertThat(cluster.one.selfStops() + cluster.two.selfStops()).isZero();
      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isZero();
      cluster.disconnect(6);
      assertThat(List.of(cluster.one.selfStops(), cluster.two.selfStops())).containsExactly(1, 1);
      cluster.awaitEnds();
      assertThat(cluster.first.interrupts()).isEqualTo(EACH);
      assertThat(cluster.second.interrupts()).isEqualTo(EACH);
      cluster.disconnect(45);
      assertThat(testCluster.count(TaskState.RUNNING)).isEqualTo(2 * EACH);

      cluster.reconnect(1);
      for (UUID id : cluster.ids) {
        assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      }
      cluster.finishAndCheck();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_whose_handler_ignores_its_interrupt_is_handed_back_too(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler stubborn = BlockingHandler.uninterruptible();
      ManualNode one = testCluster.node(1, stubborn);
      ManualNode two = testCluster.node(1, TestCluster.SUCCEEDS);
      UUID id = one.engine.submit(TestCluster.task());
      one.loops.claim();
      one.workers.startAll();
      stubborn.awaitStarted();
      testCluster.advance(20, one, two);
      one.faults.disconnect();
      two.faults.disconnect();
      testCluster.advance(60, one, two);
      one.faults.reconnect();
      two.faults.reconnect();
      testCluster.advance(30, one, two);

      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      assertThat(one.loops.claim()).as("the handler keeps its slot while it runs").isZero();
      stubborn.release();
      one.workers.awaitAll();
      two.workers.runAll();
      two.settleAll();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(one.listener.stale()).isEmpty();
      one.engine.submit(TestCluster.task());
      assertThat(one.loops.claim()).as("the slot is free again").isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void two_outages_in_a_row_cause_no_losses(TestStore testStore) throws Exception {
    for (int between : new int[] {1, 4, 9, 11}) {
      try (TestCluster testCluster = new TestCluster(testStore)) {
        Cluster cluster = new Cluster(testCluster);
        cluster.disconnect(60);
        cluster.awaitEnds();
        cluster.reconnect(between);
        cluster.one.workers.startAll();
        cluster.two.workers.startAll();
        cluster.disconnect(60);
        cluster.awaitEnds();
        cluster.reconnect(between);
        cluster.finishAndCheck();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasks_started_between_two_outages_are_handed_back_too(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      cluster.disconnect(60);
      cluster.awaitEnds();
      cluster.reconnect(8);
      cluster.startAll();
      cluster.disconnect(60);
      cluster.awaitEnds();
      cluster.reconnect(8);

      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isEqualTo(4 * EACH);
      for (UUID id : cluster.ids) {
        assertThat(testCluster.outcomes(id))
            .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.HANDED_BACK);
      }
      cluster.finishAndCheck();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_first_node_to_reconnect_does_not_mark_the_other_dead(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      cluster.disconnect(60);
      cluster.awaitEnds();
      cluster.one.faults.reconnect();
      testCluster.advance(8, cluster.one, cluster.two);
      cluster.reconnect(5);

      cluster.finishAndCheck();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_short_outage_interrupts_no_handler(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      cluster.disconnect(9);
      cluster.reconnect(10);
      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isZero();
      assertThat(testCluster.count(TaskState.RUNNING)).isEqualTo(2 * EACH);

      cluster.first.release();
      cluster.second.release();
      cluster.awaitEnds();
      cluster.finishAndCheck();
      for (UUID id : cluster.ids) {
        assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      }
    }
  }
}
