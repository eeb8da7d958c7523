// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fault: at the cap all retries were due at the same instant, after 54 retries the delay
 * overflowed, and jitter made delays negative. This test covers store and engine; the policy has
 * its own tests.
 */
@Tag("slow")
class Fault20DelaysAtTheCapTest {

  private static final int RETRIES = 64;
  private static final int TASKS = 100;
  private static final Duration CAP = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofDays(3650);

  /** Waits until all tasks are due and runs each once more. */
  private static void round(TestCluster cluster, int expected) {
    cluster.advance(CAP);
    assertThat(cluster.node(1_000, TestCluster.FAILS).claimAndRun()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void delays_stay_within_their_bounds_and_spread_at_the_cap(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      RetryPolicy policy =
          RetryPolicy.exponential(Duration.ofMillis(100))
              .multiplier(2)
              .maxDelay(CAP)
              .jitter(Jitter.spread(0.25))
              .unlimitedRetries()
              .build();
      List<UUID> ids =
          cluster
              .node(TestCluster.FAILS)
              .engine
              .submitAll(TestCluster.tasks(TASKS, TestCluster.task().retry(policy)))
              .ids();
      for (int i = 0; i <= RETRIES; i++) {
        round(cluster, TASKS);
      }

      List<Long> atTheCap = new ArrayList<>();
      for (UUID id : ids) {
        List<Attempt> attempts = cluster.attempts(id);
        assertThat(attempts).hasSize(RETRIES + 1);
        for (Attempt attempt : attempts) {
          assertWithin(attempt);
          if (attempt.number() >= 20) {
            atTheCap.add(attempt.delay().toMillis());
          }
        }
      }
      assertSpread(atTheCap);
    }
  }

  private static void assertWithin(Attempt attempt) {
    double cap = (double) CAP.toMillis();
    double base = Math.min(100 * Math.pow(2, (double) attempt.number()), cap);
    double max = Math.min(base * 1.25, cap);
    assertThat((double) attempt.delay().toMillis())
        .as("the delay after attempt %s", attempt.number())
        .isBetween(Math.floor(base * 0.75), Math.ceil(max));
    assertThat(attempt.nextAttemptAt()).isEqualTo(attempt.endedAt().plus(attempt.delay()));
  }

  /** Divides 45 s to the cap into five parts and expects about a fifth of the delays in each. */
  private static void assertSpread(List<Long> delays) {
    for (int part = 0; part < 5; part++) {
      long from = 45_000 + part * 3_000L;
      long inside = delays.stream().filter(ms -> ms >= from && ms < from + 3_000).count();
      assertThat((double) inside / delays.size())
          .as("share of %s ms to %s ms", from, from + 3_000)
          .isBetween(0.17, 0.23);
    }
    assertThat(delays.stream().filter(ms -> ms == CAP.toMillis()).count())
        .as("exactly at the cap")
        .isLessThan(delays.size() / 100);
  }

  @ParameterizedTest
  @EnumSource
  void without_a_cap_the_delay_saturates(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      RetryPolicy policy =
          RetryPolicy.exponential(Duration.ofSeconds(1))
              .multiplier(10)
              .jitter(Jitter.full())
              .unlimitedRetries()
              .build();
      ManualNode node = cluster.node(TestCluster.FAILS);
      UUID id = node.engine.submit(TestCluster.task().retry(policy));
      for (int i = 0; i <= RETRIES; i++) {
        assertThat(node.claimAndRun()).isOne();
        node.engine.retryNow(id);
      }

      List<Attempt> attempts = cluster.attempts(id);
      assertThat(attempts).hasSize(RETRIES + 1);
      assertThat(attempts)
          .allSatisfy(
              attempt -> {
                assertThat(attempt.delay()).isBetween(Duration.ZERO, LONGEST);
                assertThat(attempt.nextAttemptAt())
                    .isEqualTo(attempt.endedAt().plus(attempt.delay()));
              });
      LongStream late = attempts.stream().skip(20).mapToLong(attempt -> attempt.delay().toDays());
      assertThat(late.average().orElseThrow()).isBetween(1_200.0, 2_450.0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void unlimited_retries_end_when_the_policy_expires(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Duration expiry = Duration.ofMinutes(30);
      RetryPolicy policy =
          RetryPolicy.exponential(Duration.ofSeconds(1))
              .maxDelay(CAP)
              .unlimitedRetries()
              .expiresAfter(expiry)
              .build();
      ManualNode node = cluster.node(TestCluster.FAILS);
      Instant from = cluster.clock.instant();
      UUID id = node.engine.submit(TestCluster.task().retry(policy));
      for (int i = 0; i < 1_000 && cluster.find(id).state().isLive(); i++) {
        cluster.clock.set(cluster.find(id).times().dueAt());
        cluster.node(TestCluster.FAILS).claimAndRun();
      }

      Task task = cluster.find(id);
      assertThat(task.state()).isEqualTo(TaskState.FAILURE);
      assertThat(task.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
      assertThat(task.times().endedAt()).isBetween(from.plus(expiry).minus(CAP), from.plus(expiry));
      assertThat(cluster.attempts(id).size()).isBetween(30, 50);
    }
  }
}
