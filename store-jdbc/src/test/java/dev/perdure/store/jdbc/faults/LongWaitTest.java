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
class LongWaitTest {

  private static final Duration TWO_WEEKS = Duration.ofDays(14);

  @ParameterizedTest
  @EnumSource
  void it_starts_at_its_instant_after_restarts_migrations_and_on_another_node(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      RetryPolicy policy = RetryPolicy.fixed(TWO_WEEKS).jitter(Jitter.none()).maxRetries(1).build();
      StepNode first = stage.node(Stage.FAILS);
      UUID id = first.engine.submit(Stage.task().retry(policy));
      first.work();
      first.does.leave();
      Task waiting = stage.find(id);
      assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);

      // Opening brings the tables up to date, so each of these runs the migration again.
      for (int day = 1; day < 14; day++) {
        stage.pass(Duration.ofDays(1));
        stage.reopen();
        assertThat(stage.find(id)).isEqualTo(waiting);
        assertThat(stage.node(Stage.FAILS).work()).isZero();
      }
      stage.pass(Duration.ofDays(1).minusMillis(1));
      assertThat(stage.node(Stage.FAILS).work()).as("a millisecond early").isZero();

      stage.pass(Duration.ofMillis(1));
      stage.reopen();
      List<Long> attempts = new ArrayList<>();
      assertThat(stage.node((payload, context) -> attempts.add(context.attempt())).work()).isOne();
      assertThat(attempts).containsExactly(1L);
      assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(stage.attempts(id)).extracting(Attempt::number).containsExactly(0L, 1L);
      assertThat(stage.attempts(id)).extracting(Attempt::worker).doesNotHaveDuplicates();
      assertThat(stage.attempts(id).getLast().startedAt())
          .isEqualTo(stage.attempts(id).getFirst().nextAt());
    }
  }
}
