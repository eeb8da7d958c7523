// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault: a task that a limit holds back kept free tasks behind it from starting. */
class Fault13BlockedTaskBlocksOthersTest {

  private static NewTask of(String tenant) {
    return TestCluster.task().metadata(Map.of("tenant", tenant));
  }

  private static List<String> running(TestCluster cluster, List<UUID> ids) {
    return ids.stream()
        .map(id -> cluster.store().reader().find(id).orElseThrow())
        .filter(task -> task.state().isLeased())
        .map(Task::definition)
        .map(definition -> String.valueOf(definition.name()))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_full_key_holds_back_no_other_key_and_no_task_without_limits(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(3, TestCluster.SUCCEEDS);
      Limit limit = Limit.concurrency(1).per("tenant");
      List<UUID> ids =
          node.engine
              .submitAll(
                  List.of(
                      of("acme").name("first").limit(limit),
                      of("acme").name("blocked").limit(limit).priority(1000),
                      of("acme").name("blocked too").limit(limit).priority(1000),
                      of("other").name("other key").limit(limit).priority(-1000),
                      of("acme").name("unlimited").priority(-1000)))
              .ids();
      cluster.advance(Duration.ofSeconds(1));

      assertThat(claimAll(node)).isEqualTo(3);
      assertThat(running(cluster, ids))
          .hasSize(3)
          .contains("other key", "unlimited")
          .containsAnyOf("first", "blocked", "blocked too");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_that_one_of_its_limits_holds_back_lets_others_of_its_other_limit_pass(
      TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      Limit all = Limit.concurrency(3);
      Limit perTenant = Limit.concurrency(1).per("tenant");
      List<UUID> ids =
          node.engine
              .submitAll(
                  List.of(
                      of("acme").name("first").limit(all).limit(perTenant),
                      of("acme").name("blocked").limit(all).limit(perTenant),
                      of("acme").name("blocked too").limit(all).limit(perTenant),
                      of("other").name("free").limit(all).limit(perTenant),
                      of("third").name("free too").limit(all).limit(perTenant)))
              .ids();

      assertThat(claimAll(node)).isEqualTo(3);
      assertThat(running(cluster, ids)).containsExactly("first", "free", "free too");
    }
  }

  /** Claims until there is nothing more to claim, but runs nothing. */
  private static int claimAll(ManualNode node) {
    int claimed = 0;
    for (int i = 0; i < 20; i++) {
      claimed += node.loops.claim();
    }
    return claimed;
  }
}
