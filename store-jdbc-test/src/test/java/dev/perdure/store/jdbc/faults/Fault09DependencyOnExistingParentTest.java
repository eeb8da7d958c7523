// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Batch;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.task.TaskState;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: a submission that repeated an existing parent was answered with the existing task, but the
 * dependency of its child was dropped, and the child ran before the parent had ended.
 */
class Fault09DependencyOnExistingParentTest {

  private static final SubmissionKey KEY = SubmissionKey.of("import 2026-05");

  @ParameterizedTest
  @EnumSource
  void a_child_waits_for_the_parent_that_existed_before(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      NewTask parent = TestCluster.task().name("import");
      UUID existing = node.engine.submit(parent, KEY);

      UUID repeated = node.engine.submit(parent, KEY);
      UUID child = node.engine.submit(TestCluster.task().after(repeated));

      assertThat(repeated).isEqualTo(existing);
      assertThat(cluster.find(child).state()).isEqualTo(TaskState.WAITING);
      assertThat(node.claimAndRun()).as("the parent only").isOne();
      assertThat(cluster.find(existing).state()).isEqualTo(TaskState.SUCCESS);
      node.loops.propagate();
      assertThat(node.claimAndRun()).isOne();
      assertThat(cluster.find(child).state()).isEqualTo(TaskState.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_waits_for_the_live_task_that_its_parent_duplicates(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      NewTask parent = TestCluster.task().id("import").dedupeKey("import 2026-05");
      UUID existing = node.engine.submit(parent);

      var receipt =
          node.engine.submit(Batch.of(TestCluster.task().after("import"), parent.name("again")));

      UUID child = receipt.ids().getFirst();
      assertThat(receipt.ids()).containsExactly(child, existing);
      assertThat(receipt.duplicates()).containsExactly(1);
      assertThat(cluster.find(child).state()).isEqualTo(TaskState.WAITING);
      assertThat(node.claimAndRun()).as("the live task only").isOne();
      assertThat(cluster.find(existing).state()).isEqualTo(TaskState.SUCCESS);
      node.loops.propagate();
      assertThat(node.claimAndRun()).isOne();
      assertThat(cluster.find(child).state()).isEqualTo(TaskState.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_child_fails_with_the_live_task_that_its_parent_duplicates(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      NewTask parent = TestCluster.task().id("import").dedupeKey("import 2026-05");
      UUID existing = node.engine.submit(parent);
      var receipt = node.engine.submit(Batch.of(parent, TestCluster.task().after("import")));

      node.engine.cancel(existing);
      node.loops.propagate();

      assertThat(cluster.find(receipt.ids().get(1)).state()).isEqualTo(TaskState.FAILURE);
      assertThat(node.claimAndRun()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_repeated_batch_keeps_the_dependencies_of_the_first(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      Batch batch = Batch.of(TestCluster.task().after("import"), TestCluster.task().id("import"));
      var first = node.engine.submit(batch, KEY);

      var repeated = node.engine.submit(batch, KEY);

      assertThat(repeated.ids()).isEqualTo(first.ids());
      assertThat(cluster.find(repeated.ids().getFirst()).state()).isEqualTo(TaskState.WAITING);
      assertThat(cluster.store().batches().dependencies(repeated.batch(), 10)).hasSize(1);
    }
  }
}
