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
  void a_node_never_holds_more_than_it_has_slots(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      List<UUID> ran = new ArrayList<>();
      StepNode node = stage.node(SLOTS, (payload, context) -> ran.add(context.task().id()));
      List<UUID> ids = node.engine.submit(Stage.tasks(TASKS, Stage.task()));

      for (int done = 0; done < TASKS; done += SLOTS) {
        assertThat(node.does.claim()).isEqualTo(SLOTS);
        assertThat(node.does.claim()).as("while both slots are taken").isZero();
        assertHeld(stage, node, TASKS - done - SLOTS);

        node.desk.runAll();
        assertThat(node.does.claim()).as("before the ends are durable").isZero();
        assertHeld(stage, node, TASKS - done - SLOTS);

        node.does.settle();
        assertThat(stage.count(SUCCESS)).isEqualTo(done + SLOTS);
      }

      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private static void assertHeld(Stage stage, StepNode node, int untouched) {
    assertThat(node.does.held()).isEqualTo(SLOTS);
    assertThat(stage.count(CLAIMED, RUNNING)).isEqualTo(SLOTS);
    assertThat(stage.count(PENDING)).isEqualTo(untouched);
  }

  @ParameterizedTest
  @EnumSource
  void what_one_node_has_no_slot_for_another_can_have_at_once(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode full = stage.node(SLOTS, Stage.DOES_IT);
      StepNode free = stage.node(TASKS, Stage.DOES_IT);
      full.engine.submit(Stage.tasks(TASKS, Stage.task()));

      assertThat(full.does.claim()).isEqualTo(SLOTS);
      assertThat(free.does.claim()).isEqualTo(TASKS - SLOTS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_takes_an_hour_stays_with_the_node_that_renews(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient slow = Patient.obedient();
      StepNode node = stage.node(SLOTS, slow);
      StepNode other = stage.node(SLOTS, Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      node.does.claim();
      node.desk.beginAll();
      slow.awaitBegun();

      stage.pass(3_600, node, other);
      Task running = stage.find(id);
      assertThat(running.state()).isEqualTo(RUNNING);
      assertThat(running.epoch()).isOne();
      assertThat(slow.interrupts()).isZero();

      slow.end();
      node.desk.awaitAll();
      node.does.settle();
      assertThat(stage.find(id).state()).isEqualTo(SUCCESS);
      assertThat(stage.find(id).ending().result()).isEqualTo("\"by " + running.worker() + "\"");
      assertThat(stage.find(id).counting().losses()).isZero();
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }
}
