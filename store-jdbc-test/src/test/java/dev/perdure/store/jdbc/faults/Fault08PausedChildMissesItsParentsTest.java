// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: a child that was paused missed the ends of its parents, and waited for ever afterwards.
 */
class Fault08PausedChildMissesItsParentsTest {

  @ParameterizedTest
  @EnumSource
  void a_paused_child_runs_after_it_is_resumed(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      List<UUID> ids = submit(node);
      node.engine.pause(ids.getLast());

      assertThat(node.claimAndRun()).as("both parents").isEqualTo(2);
      propagate(node);

      assertThat(cluster.find(ids.getLast()).status()).isEqualTo(DisplayStatus.PAUSED);
      assertThat(cluster.find(ids.getLast()).dependencies()).isEqualTo(DependencyCounts.NONE);
      assertThat(node.claimAndRun()).isZero();
      node.engine.resume(ids.getLast());
      assertThat(node.claimAndRun()).isOne();
      assertThat(cluster.find(ids.getLast()).state()).isEqualTo(TaskState.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_paused_child_fails_with_its_parents(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.FAILS);
      List<UUID> ids = submit(node);
      node.engine.pause(ids.getLast());

      node.claimAndRun();
      propagate(node);

      assertThat(cluster.find(ids.getLast()).state()).isEqualTo(TaskState.FAILURE);
      assertThat(cluster.find(ids.getLast()).lastResult().giveUpReason())
          .isEqualTo(TaskGiveUpReason.UPSTREAM_FAILED);
    }
  }

  private static List<UUID> submit(ManualNode node) {
    return node.engine
        .submit(
            Batch.of(
                TestCluster.task().id("one"),
                TestCluster.task().id("other"),
                TestCluster.task().after("one", "other")))
        .ids();
  }

  private static void propagate(ManualNode node) {
    for (int i = 0; i < 10 && node.loops.propagate() > 0; i++) {
      // Propagate the next batch.
    }
  }
}
