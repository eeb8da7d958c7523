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
 * The database was away for longer than the leases; when it was back, every task that had been
 * under way counted as lost, and some failed for it.
 */
class Fault25DatabaseOutageTest {

  private static final int EACH = 5;

  /** Two nodes, each with as many tasks under way as it has slots. */
  private static final class Cluster {

    final TestCluster stage;
    final BlockingHandler first = BlockingHandler.interruptible();
    final BlockingHandler second = BlockingHandler.interruptible();
    final ManualNode one;
    final ManualNode two;
    final List<UUID> ids;

    Cluster(TestCluster testCluster) throws InterruptedException {
      this.stage = testCluster;
      one = testCluster.node(EACH, first);
      two = testCluster.node(EACH, second);
      ids = one.engine.submitAll(TestCluster.tasks(2 * EACH, TestCluster.task())).ids();
      testCluster.advance(20, one, two);
      begin();
    }

    /** Everybody begins what he has claimed. */
    void begin() throws InterruptedException {
      one.workers.startAll();
      two.workers.startAll();
      for (int i = 0; i < EACH; i++) {
        first.awaitStarted();
        second.awaitStarted();
      }
    }

    /** What was interrupted has ended when this returns. */
    void awaitEnds() throws InterruptedException {
      one.workers.awaitAll();
      two.workers.awaitAll();
    }

    void away(int seconds) {
      one.line.disconnect();
      two.line.disconnect();
      stage.advance(seconds, one, two);
    }

    void back(int seconds) {
      one.line.reconnect();
      two.line.reconnect();
      stage.advance(seconds, one, two);
    }

    /** Lets everything run to its end: nothing was lost, nothing counted. */
    void endsWell() throws InterruptedException {
      first.release();
      second.release();
      for (int i = 0; i < 60; i++) {
        stage.advance(1, one, two);
        one.workers.runAll();
        two.workers.runAll();
      }
      for (UUID id : ids) {
        Task task = stage.find(id);
        assertThat(task.state()).isEqualTo(TaskState.SUCCESS);
        assertThat(task.retryCounters().losses()).isZero();
        assertThat(task.retryCounters().attempt()).isZero();
        assertThat(stage.outcomes(id))
            .doesNotContain(AttemptOutcome.LOST, AttemptOutcome.FAILURE)
            .endsWith(AttemptOutcome.SUCCESS);
      }
      assertThat(one.loops.unsettled() + two.loops.unsettled()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void both_nodes_stop_themselves_and_hand_back_when_it_returns(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      // The last renewal was up to five seconds before the line was cut.
      cluster.away(9);
      assertThat(cluster.one.selfStops() + cluster.two.selfStops()).isZero();
      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isZero();
      cluster.away(6);
      assertThat(List.of(cluster.one.selfStops(), cluster.two.selfStops())).containsExactly(1, 1);
      cluster.awaitEnds();
      assertThat(cluster.first.interrupts()).isEqualTo(EACH);
      assertThat(cluster.second.interrupts()).isEqualTo(EACH);
      cluster.away(45);
      assertThat(testCluster.count(TaskState.RUNNING)).isEqualTo(2 * EACH);

      cluster.back(1);
      for (UUID id : cluster.ids) {
        assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      }
      cluster.endsWell();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_handler_that_ignores_its_interrupt_is_handed_back_all_the_same(TestStore testStore)
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
      one.line.disconnect();
      two.line.disconnect();
      testCluster.advance(60, one, two);
      one.line.reconnect();
      two.line.reconnect();
      testCluster.advance(30, one, two);

      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      assertThat(one.loops.claim()).as("its slot is taken as long as it runs").isZero();
      stubborn.release();
      one.workers.awaitAll();
      two.workers.runAll();
      two.settleAll();
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(one.heard.stale()).isEmpty();
      one.engine.submit(TestCluster.task());
      assertThat(one.loops.claim()).as("now it is free").isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_outage_that_comes_twice_counts_no_more_than_one(TestStore testStore) throws Exception {
    for (int between : new int[] {1, 4, 9, 11}) {
      try (TestCluster testCluster = new TestCluster(testStore)) {
        Cluster cluster = new Cluster(testCluster);
        cluster.away(60);
        cluster.awaitEnds();
        cluster.back(between);
        cluster.one.workers.startAll();
        cluster.two.workers.startAll();
        cluster.away(60);
        cluster.awaitEnds();
        cluster.back(between);
        cluster.endsWell();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_begun_between_two_outages_is_handed_back_too(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      cluster.away(60);
      cluster.awaitEnds();
      cluster.back(8);
      cluster.begin();
      cluster.away(60);
      cluster.awaitEnds();
      cluster.back(8);

      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isEqualTo(4 * EACH);
      for (UUID id : cluster.ids) {
        assertThat(testCluster.outcomes(id))
            .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.HANDED_BACK);
      }
      cluster.endsWell();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_sees_the_database_first_does_not_call_the_other_dead(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      cluster.away(60);
      cluster.awaitEnds();
      cluster.one.line.reconnect();
      testCluster.advance(8, cluster.one, cluster.two);
      cluster.back(5);

      cluster.endsWell();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_outage_shorter_than_the_nodes_patience_interrupts_nobody(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Cluster cluster = new Cluster(testCluster);
      cluster.away(9);
      cluster.back(10);
      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isZero();
      assertThat(testCluster.count(TaskState.RUNNING)).isEqualTo(2 * EACH);

      cluster.first.release();
      cluster.second.release();
      cluster.awaitEnds();
      cluster.endsWell();
      for (UUID id : cluster.ids) {
        assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      }
    }
  }
}
