// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static dev.perdure.engine.task.TaskState.CLAIMED;
import static dev.perdure.engine.task.TaskState.PENDING;
import static dev.perdure.engine.task.TaskState.RUNNING;
import static dev.perdure.engine.task.TaskState.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: a node claimed more tasks than it could start. They waited in its own queue until their
 * leases expired, ran on another node too, and their ends were refused.
 */
@Tag("slow")
class Fault02WaitsLongerThanItsLeaseTest {

  private static final int SLOTS = 2;
  private static final int TASKS = 50;

  @ParameterizedTest
  @EnumSource
  void a_node_never_leases_more_tasks_than_it_has_slots(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode node = cluster.node(SLOTS, (payload, context) -> ran.add(context.task().id()));
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(TASKS, TestCluster.task())).ids();

      for (int done = 0; done < TASKS; done += SLOTS) {
        assertThat(node.loops.claim()).isEqualTo(SLOTS);
        assertThat(node.loops.claim()).as("while both slots are taken").isZero();
        assertLeased(cluster, node, TASKS - done - SLOTS);

        node.workers.runAll();
        assertThat(node.loops.claim()).as("before the ends are durable").isZero();
        assertLeased(cluster, node, TASKS - done - SLOTS);

        node.loops.settle();
        assertThat(cluster.count(SUCCESS)).isEqualTo(done + SLOTS);
      }

      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private static void assertLeased(TestCluster cluster, ManualNode node, int untouched) {
    assertThat(node.loops.unsettled()).isEqualTo(SLOTS);
    assertThat(cluster.count(CLAIMED, RUNNING)).isEqualTo(SLOTS);
    assertThat(cluster.count(PENDING)).isEqualTo(untouched);
  }

  @ParameterizedTest
  @EnumSource
  void tasks_without_a_free_slot_are_available_to_other_nodes(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode full = cluster.node(SLOTS, TestCluster.SUCCEEDS);
      ManualNode free = cluster.node(TASKS, TestCluster.SUCCEEDS);
      full.engine.submitAll(TestCluster.tasks(TASKS, TestCluster.task()));

      assertThat(full.loops.claim()).isEqualTo(SLOTS);
      assertThat(free.loops.claim()).isEqualTo(TASKS - SLOTS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_runs_for_an_hour_stays_with_its_node(TestStore testStore) throws Exception {
    try (TestCluster cluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = cluster.node(SLOTS, slow);
      ManualNode other = cluster.node(SLOTS, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();

      cluster.advance(3_600, node, other);
      Task running = cluster.find(id);
      assertThat(running.state()).isEqualTo(RUNNING);
      assertThat(running.epoch()).isOne();
      assertThat(slow.interrupts()).isZero();

      slow.release();
      node.workers.awaitAll();
      node.loops.settle();
      assertThat(cluster.find(id).state()).isEqualTo(SUCCESS);
      assertThat(cluster.find(id).lastResult().result())
          .isEqualTo("\"by " + running.worker() + "\"");
      assertThat(cluster.find(id).retryCounters().losses()).isZero();
      assertThat(cluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }
}
