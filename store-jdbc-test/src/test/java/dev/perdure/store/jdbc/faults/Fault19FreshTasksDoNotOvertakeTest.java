// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault: new tasks were always claimed before overdue retries, which therefore never ran. */
class Fault19FreshTasksDoNotOvertakeTest {

  private static final RetryPolicy AFTER_A_MINUTE =
      RetryPolicy.fixed(Duration.ofMinutes(1)).jitter(Jitter.none()).maxRetries(3).build();

  /** Returns the task names in the order in which a node with one slot ran them. */
  private static List<String> order(TestCluster cluster, int limit) {
    List<String> ran = new ArrayList<>();
    ManualNode node =
        cluster.node(1, (payload, context) -> ran.add(context.task().definition().name()));
    for (int i = 0; i < limit && node.claimAndRun() > 0; i++) {
      // The node has one slot.
    }
    return ran;
  }

  private static NewTask named(String name) {
    return TestCluster.task().name(name);
  }

  @ParameterizedTest
  @EnumSource
  void an_overdue_retry_runs_before_tasks_submitted_later(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode fails = cluster.node(TestCluster.FAILS);
      fails.engine.submit(named("retry").retry(AFTER_A_MINUTE));
      fails.claimAndRun();
      assertThat(cluster.count(TaskState.RETRY_PENDING)).isOne();

      cluster.advance(Duration.ofSeconds(59));
      fails.engine.submit(named("before"));
      cluster.advance(Duration.ofSeconds(2));
      fails.engine.submitAll(TestCluster.tasks(20, named("since")));

      assertThat(order(cluster, 30)).hasSize(22).startsWith("before", "retry").endsWith("since");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_overdue_retry_runs_under_a_constant_load_of_new_tasks(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode fails = cluster.node(TestCluster.FAILS);
      fails.engine.submit(named("retry").retry(AFTER_A_MINUTE));
      fails.claimAndRun();
      cluster.advance(Duration.ofMinutes(1));

      List<String> ran = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        fails.engine.submitAll(TestCluster.tasks(3, named("fresh")));
        cluster.advance(Duration.ofMillis(10));
        ran.addAll(order(cluster, 1));
      }
      assertThat(ran).startsWith("retry").hasSize(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_point_of_priority_equals_one_second_of_waiting(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.engine.submit(named("waits 11 s"));
      cluster.advance(Duration.ofSeconds(2));
      node.engine.submit(named("waits 9 s"));
      cluster.advance(Duration.ofSeconds(9));
      node.engine.submit(named("plain"));
      node.engine.submit(named("10 more").priority(10));
      node.engine.submit(named("10 less").priority(-10));

      assertThat(order(cluster, 10))
          .containsExactly("waits 11 s", "10 more", "waits 9 s", "plain", "10 less");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_task_with_the_lowest_priority_eventually_overtakes_the_highest(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.engine.submit(named("lowest").priority(-1000));
      cluster.advance(Duration.ofSeconds(1_999));
      node.engine.submit(named("still before it").priority(1000));
      cluster.advance(Duration.ofSeconds(2));
      node.engine.submit(named("no longer").priority(1000));

      assertThat(order(cluster, 10)).containsExactly("still before it", "lowest", "no longer");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_priority_never_makes_a_task_run_before_it_is_due(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      node.engine.submit(named("later").priority(1000).runIn(Duration.ofSeconds(10)));
      node.engine.submit(named("now").priority(-1000));

      assertThat(order(cluster, 10)).containsExactly("now");
      cluster.advance(Duration.ofSeconds(10));
      assertThat(order(cluster, 10)).containsExactly("later");
    }
  }
}
