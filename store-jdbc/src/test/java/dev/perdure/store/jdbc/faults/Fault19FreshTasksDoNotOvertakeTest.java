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

/** Fresh tasks were always taken before retries that were long due, which so never ran. */
class Fault19FreshTasksDoNotOvertakeTest {

  private static final RetryPolicy AFTER_A_MINUTE =
      RetryPolicy.fixed(Duration.ofMinutes(1)).jitter(Jitter.none()).maxRetries(3).build();

  /** The names in the order in which one slot took them. */
  private static List<String> order(TestCluster testCluster, int most) {
    List<String> ran = new ArrayList<>();
    ManualNode node =
        testCluster.node(1, (payload, context) -> ran.add(context.task().definition().name()));
    for (int i = 0; i < most && node.claimAndRun() > 0; i++) {
      // One after the other.
    }
    return ran;
  }

  private static NewTask named(String name) {
    return TestCluster.task().name(name);
  }

  @ParameterizedTest
  @EnumSource
  void an_overdue_retry_comes_before_what_was_submitted_since(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode fails = testCluster.node(TestCluster.FAILS);
      fails.engine.submit(named("retry").retry(AFTER_A_MINUTE));
      fails.claimAndRun();
      assertThat(testCluster.count(TaskState.RETRY_PENDING)).isOne();

      testCluster.advance(Duration.ofSeconds(59));
      fails.engine.submit(named("before"));
      testCluster.advance(Duration.ofSeconds(2));
      fails.engine.submitAll(TestCluster.tasks(20, named("since")));

      assertThat(order(testCluster, 30))
          .hasSize(22)
          .startsWith("before", "retry")
          .endsWith("since");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_overdue_retry_runs_although_fresh_tasks_never_stop_coming(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode fails = testCluster.node(TestCluster.FAILS);
      fails.engine.submit(named("retry").retry(AFTER_A_MINUTE));
      fails.claimAndRun();
      testCluster.advance(Duration.ofMinutes(1));

      List<String> ran = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        fails.engine.submitAll(TestCluster.tasks(3, named("fresh")));
        testCluster.advance(Duration.ofMillis(10));
        ran.addAll(order(testCluster, 1));
      }
      assertThat(ran).startsWith("retry").hasSize(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_priority_counts_as_much_as_so_many_seconds_of_waiting(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      node.engine.submit(named("waits 11 s"));
      testCluster.advance(Duration.ofSeconds(2));
      node.engine.submit(named("waits 9 s"));
      testCluster.advance(Duration.ofSeconds(9));
      node.engine.submit(named("plain"));
      node.engine.submit(named("10 more").priority(10));
      node.engine.submit(named("10 less").priority(-10));

      assertThat(order(testCluster, 10))
          .containsExactly("waits 11 s", "10 more", "waits 9 s", "plain", "10 less");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_waits_with_the_lowest_priority_overtakes_the_highest_in_the_end(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      node.engine.submit(named("lowest").priority(-1000));
      testCluster.advance(Duration.ofSeconds(1_999));
      node.engine.submit(named("still before it").priority(1000));
      testCluster.advance(Duration.ofSeconds(2));
      node.engine.submit(named("no longer").priority(1000));

      assertThat(order(testCluster, 10)).containsExactly("still before it", "lowest", "no longer");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_priority_never_makes_a_task_run_before_it_is_due(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      node.engine.submit(named("later").priority(1000).runIn(Duration.ofSeconds(10)));
      node.engine.submit(named("now").priority(-1000));

      assertThat(order(testCluster, 10)).containsExactly("now");
      testCluster.advance(Duration.ofSeconds(10));
      assertThat(order(testCluster, 10)).containsExactly("later");
    }
  }
}
