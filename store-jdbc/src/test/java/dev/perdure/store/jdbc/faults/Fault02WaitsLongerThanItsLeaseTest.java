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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * More was claimed than could start; it waited in the node's own queue until its lease had run out,
 * ran elsewhere too, and its end was refused.
 */
class Fault02WaitsLongerThanItsLeaseTest {

  private static final int SLOTS = 2;
  private static final int TASKS = 50;

  @ParameterizedTest
  @EnumSource
  void a_node_never_holds_more_than_it_has_slots(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      List<UUID> ran = new ArrayList<>();
      ManualNode node = testCluster.node(SLOTS, (payload, context) -> ran.add(context.task().id()));
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(TASKS, TestCluster.task())).ids();

      for (int done = 0; done < TASKS; done += SLOTS) {
        assertThat(node.loops.claim()).isEqualTo(SLOTS);
        assertThat(node.loops.claim()).as("while both slots are taken").isZero();
        assertHeld(testCluster, node, TASKS - done - SLOTS);

        node.workers.runAll();
        assertThat(node.loops.claim()).as("before the ends are durable").isZero();
        assertHeld(testCluster, node, TASKS - done - SLOTS);

        node.loops.settle();
        assertThat(testCluster.count(SUCCESS)).isEqualTo(done + SLOTS);
      }

      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private static void assertHeld(TestCluster testCluster, ManualNode node, int untouched) {
    assertThat(node.loops.unsettled()).isEqualTo(SLOTS);
    assertThat(testCluster.count(CLAIMED, RUNNING)).isEqualTo(SLOTS);
    assertThat(testCluster.count(PENDING)).isEqualTo(untouched);
  }

  @ParameterizedTest
  @EnumSource
  void what_one_node_has_no_slot_for_another_can_have_at_once(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode full = testCluster.node(SLOTS, TestCluster.SUCCEEDS);
      ManualNode free = testCluster.node(TASKS, TestCluster.SUCCEEDS);
      full.engine.submitAll(TestCluster.tasks(TASKS, TestCluster.task()));

      assertThat(full.loops.claim()).isEqualTo(SLOTS);
      assertThat(free.loops.claim()).isEqualTo(TASKS - SLOTS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_takes_an_hour_stays_with_the_node_that_renews(TestStore testStore)
      throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(SLOTS, slow);
      ManualNode other = testCluster.node(SLOTS, TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();

      testCluster.advance(3_600, node, other);
      Task running = testCluster.find(id);
      assertThat(running.state()).isEqualTo(RUNNING);
      assertThat(running.epoch()).isOne();
      assertThat(slow.interrupts()).isZero();

      slow.release();
      node.workers.awaitAll();
      node.loops.settle();
      assertThat(testCluster.find(id).state()).isEqualTo(SUCCESS);
      assertThat(testCluster.find(id).lastResult().result())
          .isEqualTo("\"by " + running.worker() + "\"");
      assertThat(testCluster.find(id).retryCounters().losses()).isZero();
      assertThat(testCluster.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }
}
