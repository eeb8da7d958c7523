// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ten thousand tasks fail at the same instant, and their retries are spread over time. */
@Tag("slow")
class RetrySpreadTest {

  private static final int TASKS = 10_000;
  private static final int SLOTS = 1_000;
  private static final Duration BASE = Duration.ofSeconds(60);
  private static final Duration FROM = Duration.ofSeconds(30);
  private static final Duration TO = Duration.ofSeconds(90);
  private static final int PARTS = 60;

  /** Critical value for 59 degrees of freedom: exceeded by chance once in a thousand runs. */
  private static final double CHI_SQUARE = 98.3;

  private record Started(UUID task, Instant due, Instant at) {}

  private static TestCluster allFailed(TestStore testStore) {
    TestCluster cluster = new TestCluster(testStore);
    RetryPolicy policy = RetryPolicy.fixed(BASE).jitter(Jitter.spread(0.5)).maxRetries(1).build();
    ManualNode fails = cluster.node(SLOTS, TestCluster.FAILS);
    fails.engine.submitAll(TestCluster.tasks(TASKS, TestCluster.task().retry(policy)));
    for (int i = 0; i < TASKS / SLOTS; i++) {
      assertThat(fails.claimAndRun()).isEqualTo(SLOTS);
    }
    assertThat(cluster.count(TaskState.RETRY_PENDING)).isEqualTo(TASKS);
    return cluster;
  }

  /**
   * Returns the chi-square statistic of the instants against a uniform spread over the policy's
   * interval.
   */
  private static double chiSquare(Instant failed, List<Instant> instants) {
    int[] counts = new int[PARTS];
    long width = TO.minus(FROM).toMillis() / PARTS;
    for (Instant instant : instants) {
      Duration delay = Duration.between(failed, instant);
      assertThat(delay).isBetween(FROM, TO);
      int part = (int) (delay.minus(FROM).toMillis() / width);
      counts[Math.min(part, PARTS - 1)]++;
    }
    double expected = (double) instants.size() / PARTS;
    return Arrays.stream(counts)
        .mapToDouble(count -> (count - expected) * (count - expected) / expected)
        .sum();
  }

  @ParameterizedTest
  @EnumSource
  void retries_start_spread_over_the_jitter_range_in_bounded_claims(TestStore testStore) {
    try (TestCluster cluster = allFailed(testStore)) {
      Instant failed = cluster.clock.instant();
      List<Instant> dues =
          cluster.all().stream().map(Task::times).map(taskTimes -> taskTimes.dueAt()).toList();
      assertThat(dues).hasSize(TASKS);
      assertThat(chiSquare(failed, dues)).isLessThan(CHI_SQUARE);

      List<Started> started = new ArrayList<>();
      ManualNode node =
          cluster.node(
              SLOTS,
              (payload, context) -> {
                Task task = context.task();
                started.add(new Started(task.id(), task.times().dueAt(), task.times().startedAt()));
              });
      cluster.clock.set(failed.plus(FROM).minusMillis(1));
      node.loops.renew();
      for (int second = 30; second <= 90; second++) {
        cluster.clock.set(failed.plusSeconds(second));
        node.loops.renew();
        // About one second's share, never all remaining tasks.
        assertThat(node.claimAndRun()).isLessThan(TASKS / PARTS * 2);
      }

      assertThat(started).hasSize(TASKS);
      Set<UUID> distinct = new HashSet<>();
      assertThat(started)
          .allSatisfy(
              start -> {
                assertThat(distinct.add(start.task())).isTrue();
                assertThat(start.at()).isBetween(start.due(), start.due().plusSeconds(1));
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_of_overdue_retries_is_limited_by_the_free_slots(TestStore testStore) {
    try (TestCluster cluster = allFailed(testStore)) {
      cluster.advance(Duration.ofHours(1));
      List<Instant> dues = new ArrayList<>();
      ManualNode node =
          cluster.node(300, (payload, context) -> dues.add(context.task().times().dueAt()));
      int max = 0;
      for (int claimed = node.claimAndRun(); claimed > 0; claimed = node.claimAndRun()) {
        max = Math.max(max, claimed);
      }

      assertThat(max).isEqualTo(300);
      assertThat(dues).hasSize(TASKS).isSorted();
      assertThat(cluster.count(TaskState.SUCCESS)).isEqualTo(TASKS);
    }
  }
}
