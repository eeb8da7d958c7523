// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A retry that is due in two weeks survives restarts and migrations. */
class LongRetryDelayTest {

  private static final Duration TWO_WEEKS = Duration.ofDays(14);

  @ParameterizedTest
  @EnumSource
  void a_retry_starts_on_time_after_restarts_migrations_and_on_another_node(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      RetryPolicy policy = RetryPolicy.fixed(TWO_WEEKS).jitter(Jitter.none()).maxRetries(1).build();
      ManualNode first = cluster.node(TestCluster.FAILS);
      UUID id = first.engine.submit(TestCluster.task().retry(policy));
      first.claimAndRun();
      first.loops.leave();
      Task waiting = cluster.find(id);
      assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);

      // Opening a store runs the migrations again.
      for (int day = 1; day < 14; day++) {
        cluster.advance(Duration.ofDays(1));
        cluster.reopen();
        assertThat(cluster.find(id)).isEqualTo(waiting);
        assertThat(cluster.node(TestCluster.FAILS).claimAndRun()).isZero();
      }
      cluster.advance(Duration.ofDays(1).minusMillis(1));
      assertThat(cluster.node(TestCluster.FAILS).claimAndRun()).as("a millisecond early").isZero();

      cluster.advance(Duration.ofMillis(1));
      cluster.reopen();
      List<Long> attempts = new ArrayList<>();
      assertThat(cluster.node((payload, context) -> attempts.add(context.attempt())).claimAndRun())
          .isOne();
      assertThat(attempts).containsExactly(1L);
      assertThat(cluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(cluster.attempts(id)).extracting(Attempt::number).containsExactly(0L, 1L);
      assertThat(cluster.attempts(id)).extracting(Attempt::worker).doesNotHaveDuplicates();
      assertThat(cluster.attempts(id).getLast().startedAt())
          .isEqualTo(cluster.attempts(id).getFirst().nextAttemptAt());
    }
  }
}
