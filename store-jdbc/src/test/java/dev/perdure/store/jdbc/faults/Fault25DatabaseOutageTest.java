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

    final Stage stage;
    final Patient first = Patient.obedient();
    final Patient second = Patient.obedient();
    final StepNode one;
    final StepNode two;
    final List<UUID> ids;

    Cluster(Stage stage) throws InterruptedException {
      this.stage = stage;
      one = stage.node(EACH, first);
      two = stage.node(EACH, second);
      ids = one.engine.submit(Stage.tasks(2 * EACH, Stage.task()));
      stage.pass(20, one, two);
      begin();
    }

    /** Everybody begins what he has claimed. */
    void begin() throws InterruptedException {
      one.desk.beginAll();
      two.desk.beginAll();
      for (int i = 0; i < EACH; i++) {
        first.awaitBegun();
        second.awaitBegun();
      }
    }

    /** What was interrupted has ended when this returns. */
    void awaitEnds() throws InterruptedException {
      one.desk.awaitAll();
      two.desk.awaitAll();
    }

    void away(int seconds) {
      one.line.cut();
      two.line.cut();
      stage.pass(seconds, one, two);
    }

    void back(int seconds) {
      one.line.mend();
      two.line.mend();
      stage.pass(seconds, one, two);
    }

    /** Lets everything run to its end: nothing was lost, nothing counted. */
    void endsWell() throws InterruptedException {
      first.end();
      second.end();
      for (int i = 0; i < 60; i++) {
        stage.pass(1, one, two);
        one.desk.runAll();
        two.desk.runAll();
      }
      for (UUID id : ids) {
        Task task = stage.find(id);
        assertThat(task.state()).isEqualTo(TaskState.SUCCESS);
        assertThat(task.counting().losses()).isZero();
        assertThat(task.counting().attempt()).isZero();
        assertThat(stage.outcomes(id))
            .doesNotContain(AttemptOutcome.LOST, AttemptOutcome.FAILURE)
            .endsWith(AttemptOutcome.SUCCESS);
      }
      assertThat(one.does.held() + two.does.held()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void both_nodes_stop_themselves_and_hand_back_when_it_returns(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Cluster cluster = new Cluster(stage);
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
      assertThat(stage.count(TaskState.RUNNING)).isEqualTo(2 * EACH);

      cluster.back(1);
      for (UUID id : cluster.ids) {
        assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      }
      cluster.endsWell();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_handler_that_ignores_its_interrupt_is_handed_back_all_the_same(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient stubborn = Patient.stubborn();
      StepNode one = stage.node(1, stubborn);
      StepNode two = stage.node(1, Stage.DOES_IT);
      UUID id = one.engine.submit(Stage.task());
      one.does.claim();
      one.desk.beginAll();
      stubborn.awaitBegun();
      stage.pass(20, one, two);
      one.line.cut();
      two.line.cut();
      stage.pass(60, one, two);
      one.line.mend();
      two.line.mend();
      stage.pass(30, one, two);

      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      assertThat(one.does.claim()).as("its slot is taken as long as it runs").isZero();
      stubborn.end();
      one.desk.awaitAll();
      two.desk.runAll();
      two.settleAll();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(one.heard.stale()).isEmpty();
      one.engine.submit(Stage.task());
      assertThat(one.does.claim()).as("now it is free").isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_outage_that_comes_twice_counts_no_more_than_one(Stores stores) throws Exception {
    for (int between : new int[] {1, 4, 9, 11}) {
      try (Stage stage = new Stage(stores)) {
        Cluster cluster = new Cluster(stage);
        cluster.away(60);
        cluster.awaitEnds();
        cluster.back(between);
        cluster.one.desk.beginAll();
        cluster.two.desk.beginAll();
        cluster.away(60);
        cluster.awaitEnds();
        cluster.back(between);
        cluster.endsWell();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_begun_between_two_outages_is_handed_back_too(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Cluster cluster = new Cluster(stage);
      cluster.away(60);
      cluster.awaitEnds();
      cluster.back(8);
      cluster.begin();
      cluster.away(60);
      cluster.awaitEnds();
      cluster.back(8);

      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isEqualTo(4 * EACH);
      for (UUID id : cluster.ids) {
        assertThat(stage.outcomes(id))
            .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.HANDED_BACK);
      }
      cluster.endsWell();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_sees_the_database_first_does_not_call_the_other_dead(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      Cluster cluster = new Cluster(stage);
      cluster.away(60);
      cluster.awaitEnds();
      cluster.one.line.mend();
      stage.pass(8, cluster.one, cluster.two);
      cluster.back(5);

      cluster.endsWell();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_outage_shorter_than_the_nodes_patience_interrupts_nobody(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Cluster cluster = new Cluster(stage);
      cluster.away(9);
      cluster.back(10);
      assertThat(cluster.first.interrupts() + cluster.second.interrupts()).isZero();
      assertThat(stage.count(TaskState.RUNNING)).isEqualTo(2 * EACH);

      cluster.first.end();
      cluster.second.end();
      cluster.awaitEnds();
      cluster.endsWell();
      for (UUID id : cluster.ids) {
        assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      }
    }
  }
}
