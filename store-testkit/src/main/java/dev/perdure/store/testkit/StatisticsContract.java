// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskState;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Statistics and backlog of a store. */
abstract class StatisticsContract extends StoreContract {

  StatisticsContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private StoreStatistics statistics() {
    return store.reader().statistics();
  }

  @Test
  void an_empty_store_has_empty_statistics() {
    assertThat(statistics())
        .isEqualTo(
            new StoreStatistics(Map.of(), 0, 0, 0, Map.of(), Map.of(), Map.of(), null, null));
  }

  @Test
  void tasks_are_counted_by_state() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("b"));
    running("b");
    submit(TestTask.withoutRetry("c"));
    settle(running("c"), SUCCEEDED);

    assertThat(statistics().byState())
        .isEqualTo(Map.of(TaskState.PENDING, 2L, TaskState.RUNNING, 1L, TaskState.SUCCESS, 1L));
  }

  @Test
  void the_backlog_counts_live_tasks() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a").withPriority(7));
    submit(TestTask.withoutRetry("b"));
    claimed("b");
    submit(TestTask.withoutRetry("c"));
    write(lifecycle.pause(running("c")));
    submit(TestTask.retrying("d"));
    write(lifecycle.pause(settle(running("d"), FAILED)));
    submit(TestTask.withoutRetry("e"));
    settle(running("e"), SUCCEEDED);
    submit(TestTask.withoutRetry("f"));
    settle(running("f"), FAILED);
    write(lifecycle.cancel(find(submit(TestTask.withoutRetry("g")))));

    Backlog backlog = store.reader().backlog();
    assertThat(backlog)
        .isEqualTo(
            new Backlog(
                Map.of(
                    DisplayStatus.PENDING,
                    2L,
                    DisplayStatus.CLAIMED,
                    1L,
                    DisplayStatus.RUNNING,
                    1L,
                    DisplayStatus.PAUSED,
                    1L),
                2,
                1,
                Map.of("a", 2L, "d", 1L)));
    assertThat(statistics().pendingByKind()).isEqualTo(backlog.pendingByKind());
    assertThat(statistics().retriesByStrategy()).isEqualTo(Map.of("fixed", 1L));
  }

  @Test
  void due_counts_claimable_tasks() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofHours(1)));
    write(lifecycle.pause(find(submit(TestTask.withoutRetry("a")))));
    submit(TestTask.withoutRetry("b"));
    running("b");

    assertThat(statistics().due()).isEqualTo(1);
    clock.advance(Duration.ofHours(1));
    assertThat(statistics().due()).isEqualTo(2);
  }

  @Test
  void pending_by_kind_counts_due_and_later_tasks() {
    submit(TestTask.withoutRetry("a"));
    submit(TestTask.withoutRetry("a"), DueTime.in(Duration.ofHours(1)));
    submit(TestTask.retrying("b"));
    settle(running("b"), FAILED);
    submit(TestTask.withoutRetry("c"));
    running("c");

    assertThat(statistics().pendingByKind()).isEqualTo(Map.of("a", 2L, "b", 1L));
  }

  @Test
  void a_retry_is_counted_as_pending_until_it_is_due() {
    submit(TestTask.retrying("a"));
    settle(running("a"), FAILED);
    assertThat(statistics().retriesPending()).isEqualTo(1);
    assertThat(statistics().due()).isZero();
    assertThat(statistics().retriesByStrategy()).isEqualTo(Map.of("fixed", 1L));
    assertThat(statistics().retriesByKind()).isEqualTo(Map.of("a", 1L));

    clock.advance(TestTask.DELAY);
    assertThat(statistics().retriesPending()).isZero();
    assertThat(statistics().due()).isEqualTo(1);
    running("a");
    assertThat(statistics().retriesByStrategy()).isEmpty();
  }

  @Test
  void exhausted_counts_tasks_without_retries_left() {
    submit(TestTask.withoutRetry("a"));
    settle(running("a"), FAILED);
    assertThat(statistics().exhausted()).as("it had no policy").isZero();

    submit(TestTask.retrying("b"));
    failRetries("b");
    settle(running("b"), FAILED);
    assertThat(statistics().exhausted()).isEqualTo(1);
  }

  private void failRetries(String kind) {
    for (int i = 0; i < 2; i++) {
      settle(running(kind), FAILED);
      clock.advance(TestTask.DELAY);
    }
  }

  @Test
  void the_success_rate_counts_tasks_with_a_retry() {
    submit(TestTask.withoutRetry("a"));
    settle(running("a"), SUCCEEDED);
    assertThat(statistics().successRate()).as("none had a retry").isNull();

    for (String kind : new String[] {"x", "y", "z"}) {
      submit(TestTask.retrying(kind));
      settle(running(kind), FAILED);
    }
    assertThat(statistics().successRate()).isEqualTo(new BigDecimal("0.00"));
    clock.advance(TestTask.DELAY);
    settle(running("x"), SUCCEEDED);
    assertThat(statistics().successRate()).isEqualTo(new BigDecimal("33.33"));
    settle(running("y"), SUCCEEDED);
    assertThat(statistics().successRate()).isEqualTo(new BigDecimal("66.67"));
    settle(running("z"), SUCCEEDED);
    assertThat(statistics().successRate()).isEqualTo(new BigDecimal("100.00"));
  }

  @Test
  void the_average_delay_counts_delays_chosen_by_policies() {
    submit(TestTask.withoutRetry("a"));
    settle(running("a"), new Outcome.Snoozed(Duration.ofHours(9)));
    submit(TestTask.withoutRetry("b"));
    write(lifecycle.workerLost(running("b")));
    assertThat(statistics().averageDelay())
        .as("a policy chooses no delay for a snooze or a loss")
        .isNull();

    submit(TestTask.retrying("c"));
    settle(running("c"), FAILED);
    submit(
        TestTask.withoutRetry("d")
            .withPolicy(
                """
                {"backoff": {"type": "fixed", "delay": "30s"}, "jitter": "none"}"""));
    settle(running("d"), FAILED);
    assertThat(statistics().averageDelay()).isEqualTo(Duration.ofSeconds(45));
    clock.advance(TestTask.DELAY);
    settle(running("d"), SUCCEEDED);
    assertThat(statistics().averageDelay()).as("includes ended tasks").hasSeconds(45);
    settle(running("c"), FAILED);
    assertThat(statistics().averageDelay()).as("includes every retry").hasSeconds(50);
  }
}
