// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that learn of several parents at once, or of parents that come back. */
class LateParentsTest {

  /** One round sees that a task must fail, and that its child must; each counts once. */
  @ParameterizedTest
  @EnumSource
  void a_dependency_is_counted_once_when_two_parents_fail_in_one_round(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.FAILS);
      UUID failed = node.engine.submit(TestCluster.task());
      node.claimAndRun();
      UUID live = node.engine.submit(TestCluster.task());
      UUID third = node.engine.submit(TestCluster.task().runIn(Duration.ofDays(1)));
      List<UUID> ids =
          node.engine
              .submit(
                  Batch.of(
                      TestCluster.task().id("b").after(failed).after(live),
                      TestCluster.task().id("d").after("b").after(third)))
              .ids();
      node.engine.cancel(live);
      propagate(node);

      Task last = cluster.find(ids.getLast());
      assertThat(last.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.UPSTREAM_FAILED);
      assertThat(last.dependencies()).isEqualTo(new DependencyCounts(2, 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_that_comes_back_keeps_its_due_time(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.FAILS);
      UUID parent = node.engine.submit(TestCluster.task());
      UUID child = node.engine.submit(TestCluster.task().after(parent).runIn(Duration.ofDays(7)));
      node.claimAndRun();
      propagate(node);
      node.engine.revive(parent);
      propagate(node);

      assertThat(cluster.find(child).state()).isEqualTo(TaskState.WAITING);
      assertThat(cluster.find(child).times().dueAt())
          .isEqualTo(cluster.clock.instant().plus(Duration.ofDays(7)));
    }
  }

  private static void propagate(ManualNode node) {
    int work = 1;
    for (int i = 0; i < 20 && work > 0; i++) {
      work = node.loops.propagate();
    }
    assertThat(work).as("work that never ends").isZero();
  }
}
