// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.TaskState;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that nobody needs any more are canceled, if their batch asks for it. */
class DeadEndCancelTest {

  @ParameterizedTest
  @EnumSource
  void a_parent_is_canceled_when_its_last_child_has_ended(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      List<UUID> ids = node.engine.submit(graph().deadEndCancel()).ids();
      node.engine.cancel(ids.get(2));
      propagate(node);
      assertThat(cluster.count(TaskState.CANCELED)).as("one child is live").isOne();

      node.engine.cancel(ids.get(3));
      propagate(node);
      assertThat(cluster.count(TaskState.CANCELED)).as("up to the root").isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_barrier_stops_the_climb(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      List<UUID> ids =
          node.engine
              .submit(
                  Batch.of(
                          TestCluster.task().id("root").deadEndBarrier(),
                          TestCluster.task().id("middle").after("root"),
                          TestCluster.task().after("middle"))
                      .deadEndCancel())
              .ids();
      node.engine.cancel(ids.getLast());
      propagate(node);

      assertThat(cluster.find(ids.get(1)).state()).isEqualTo(TaskState.CANCELED);
      assertThat(cluster.find(ids.getFirst()).state()).isEqualTo(TaskState.PENDING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_of_another_batch_keeps_its_parent(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      List<UUID> ids = node.engine.submit(graph().deadEndCancel()).ids();
      UUID outside = node.engine.submit(TestCluster.task().after(ids.get(1)));
      node.engine.cancel(ids.get(2));
      node.engine.cancel(ids.get(3));
      propagate(node);
      assertThat(cluster.find(ids.get(1)).state()).isEqualTo(TaskState.WAITING);

      node.engine.cancel(outside);
      propagate(node);
      assertThat(cluster.find(ids.get(1)).state()).isEqualTo(TaskState.CANCELED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_whose_only_child_came_later_is_canceled(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID parent =
          node.engine.submit(Batch.of(TestCluster.task()).deadEndCancel()).ids().getFirst();
      UUID child = node.engine.submit(TestCluster.task().after(parent));
      node.engine.cancel(child);
      propagate(node);
      assertThat(cluster.find(parent).state()).isEqualTo(TaskState.CANCELED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void without_the_option_nothing_is_canceled(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      List<UUID> ids = node.engine.submit(graph()).ids();
      node.engine.cancel(ids.get(2));
      node.engine.cancel(ids.get(3));
      propagate(node);
      assertThat(cluster.count(TaskState.CANCELED)).isEqualTo(2);
    }
  }

  /** A root, a task after it, and two tasks after that. */
  private static Batch graph() {
    NewTask task = TestCluster.task();
    return Batch.of(
        task.id("root"),
        task.id("middle").after("root"),
        task.after("middle"),
        task.after("middle"));
  }

  private static void propagate(ManualNode node) {
    int work = 1;
    for (int i = 0; i < 20 && work > 0; i++) {
      work = node.loops.propagate();
    }
    assertThat(work).as("work that never ends").isZero();
  }
}
