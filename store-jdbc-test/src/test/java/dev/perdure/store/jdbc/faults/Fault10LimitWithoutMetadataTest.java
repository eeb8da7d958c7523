// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Limit;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: limits compared metadata by containment, which is never true without metadata, so tasks
 * without metadata had no limits at all.
 */
class Fault10LimitWithoutMetadataTest {

  private static int claimed(TestCluster cluster, NewTask task) {
    ManualNode node = cluster.node(TestCluster.SUCCEEDS);
    node.engine.submitAll(TestCluster.tasks(5, task));
    return node.loops.claim();
  }

  @ParameterizedTest
  @EnumSource
  void a_limit_without_fields_holds_for_tasks_without_metadata(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      assertThat(claimed(cluster, TestCluster.task().limit(Limit.concurrency(2)))).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_limit_by_a_field_holds_for_tasks_without_metadata(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      NewTask task = TestCluster.task().limit(Limit.concurrency(2).per("tenant"));
      assertThat(claimed(cluster, task)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_missing_field_is_a_value_of_its_own(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Limit limit = Limit.concurrency(1).per("tenant");
      NewTask without = TestCluster.task().limit(limit);
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.engine.submitAll(TestCluster.tasks(3, without));
      node.engine.submitAll(TestCluster.tasks(3, without.metadata(Map.of("region", "north"))));
      node.engine.submitAll(TestCluster.tasks(3, without.metadata(Map.of("tenant", "acme"))));

      assertThat(node.loops.claim()).as("one without the field, one of acme").isEqualTo(2);
      assertThat(cluster.store().limits().list("", 10))
          .extracting(usage -> usage.key())
          .containsExactly("concurrency:work[tenant=\"acme\"]", "concurrency:work[tenant=-]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void values_are_equal_or_not_but_never_contained(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      NewTask task = TestCluster.task().limit(Limit.concurrency(1).per("tags"));
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.engine.submit(task.metadata(Map.of("tags", new String[] {"a", "b"})));
      node.engine.submit(task.metadata(Map.of("tags", new String[] {"a"})));

      assertThat(node.loops.claim()).isEqualTo(2);
    }
  }
}
