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

/** A retry that is due in two weeks outlives whatever it was decided in. */
class LongRetryDelayTest {

  private static final Duration TWO_WEEKS = Duration.ofDays(14);

  @ParameterizedTest
  @EnumSource
  void it_starts_at_its_instant_after_restarts_migrations_and_on_another_node(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      RetryPolicy policy = RetryPolicy.fixed(TWO_WEEKS).jitter(Jitter.none()).maxRetries(1).build();
      ManualNode first = testCluster.node(TestCluster.FAILS);
      UUID id = first.engine.submit(TestCluster.task().retry(policy));
      first.claimAndRun();
      first.loops.leave();
      Task waiting = testCluster.find(id);
      assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);

      // Opening brings the tables up to date, so each of these runs the migration again.
      for (int day = 1; day < 14; day++) {
        testCluster.advance(Duration.ofDays(1));
        testCluster.reopen();
        assertThat(testCluster.find(id)).isEqualTo(waiting);
        assertThat(testCluster.node(TestCluster.FAILS).claimAndRun()).isZero();
      }
      testCluster.advance(Duration.ofDays(1).minusMillis(1));
      assertThat(testCluster.node(TestCluster.FAILS).claimAndRun())
          .as("a millisecond early")
          .isZero();

      testCluster.advance(Duration.ofMillis(1));
      testCluster.reopen();
      List<Long> attempts = new ArrayList<>();
      assertThat(
              testCluster.node((payload, context) -> attempts.add(context.attempt())).claimAndRun())
          .isOne();
      assertThat(attempts).containsExactly(1L);
      assertThat(testCluster.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(testCluster.attempts(id)).extracting(Attempt::number).containsExactly(0L, 1L);
      assertThat(testCluster.attempts(id)).extracting(Attempt::worker).doesNotHaveDuplicates();
      assertThat(testCluster.attempts(id).getLast().startedAt())
          .isEqualTo(testCluster.attempts(id).getFirst().nextAttemptAt());
    }
  }
}
