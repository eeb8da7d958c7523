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
  private static List<String> order(Stage stage, int most) {
    List<String> ran = new ArrayList<>();
    StepNode node =
        stage.node(1, (payload, context) -> ran.add(context.task().definition().name()));
    for (int i = 0; i < most && node.work() > 0; i++) {
      // One after the other.
    }
    return ran;
  }

  private static NewTask named(String name) {
    return Stage.task().name(name);
  }

  @ParameterizedTest
  @EnumSource
  void an_overdue_retry_comes_before_what_was_submitted_since(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode fails = stage.node(Stage.FAILS);
      fails.engine.submit(named("retry").retry(AFTER_A_MINUTE));
      fails.work();
      assertThat(stage.count(TaskState.RETRY_PENDING)).isOne();

      stage.pass(Duration.ofSeconds(59));
      fails.engine.submit(named("before"));
      stage.pass(Duration.ofSeconds(2));
      fails.engine.submit(Stage.tasks(20, named("since")));

      assertThat(order(stage, 30)).hasSize(22).startsWith("before", "retry").endsWith("since");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_overdue_retry_runs_although_fresh_tasks_never_stop_coming(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode fails = stage.node(Stage.FAILS);
      fails.engine.submit(named("retry").retry(AFTER_A_MINUTE));
      fails.work();
      stage.pass(Duration.ofMinutes(1));

      List<String> ran = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        fails.engine.submit(Stage.tasks(3, named("fresh")));
        stage.pass(Duration.ofMillis(10));
        ran.addAll(order(stage, 1));
      }
      assertThat(ran).startsWith("retry").hasSize(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_priority_counts_as_much_as_so_many_seconds_of_waiting(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      node.engine.submit(named("waits 11 s"));
      stage.pass(Duration.ofSeconds(2));
      node.engine.submit(named("waits 9 s"));
      stage.pass(Duration.ofSeconds(9));
      node.engine.submit(named("plain"));
      node.engine.submit(named("10 more").priority(10));
      node.engine.submit(named("10 less").priority(-10));

      assertThat(order(stage, 10))
          .containsExactly("waits 11 s", "10 more", "waits 9 s", "plain", "10 less");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_waits_with_the_lowest_priority_overtakes_the_highest_in_the_end(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      node.engine.submit(named("lowest").priority(-1000));
      stage.pass(Duration.ofSeconds(1_999));
      node.engine.submit(named("still before it").priority(1000));
      stage.pass(Duration.ofSeconds(2));
      node.engine.submit(named("no longer").priority(1000));

      assertThat(order(stage, 10)).containsExactly("still before it", "lowest", "no longer");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_priority_never_makes_a_task_run_before_it_is_due(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      node.engine.submit(named("later").priority(1000).in(Duration.ofSeconds(10)));
      node.engine.submit(named("now").priority(-1000));

      assertThat(order(stage, 10)).containsExactly("now");
      stage.pass(Duration.ofSeconds(10));
      assertThat(order(stage, 10)).containsExactly("later");
    }
  }
}
