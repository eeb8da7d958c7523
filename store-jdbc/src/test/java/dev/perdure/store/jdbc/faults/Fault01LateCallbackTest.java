// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of an attempt came when the next one was under way, and ended that instead. */
class Fault01LateCallbackTest {

  private static final RetryPolicy AFTER_A_MINUTE =
      RetryPolicy.fixed(Duration.ofMinutes(1)).maxRetries(3).build();

  private static final List<Outcome> ENDS =
      List.of(
          new Outcome.Succeeded("\"late\""),
          new Outcome.Failed(Failure.timeout(), null),
          new Outcome.Snoozed(Duration.ofSeconds(1)),
          new Outcome.HandedBack(),
          new Outcome.Parked("late"));

  /** A late end of one node's attempt, while another node runs the task. */
  private static final class Late {

    final Stage stage;
    final Patient slow = Patient.stubborn();
    final StepNode first;
    final StepNode second;
    final UUID id;

    Late(Stage stage) throws InterruptedException {
      this.stage = stage;
      first = stage.node(slow);
      second = stage.node(Stage.DOES_IT);
      id = first.engine.submit(Stage.task().retry(AFTER_A_MINUTE).timeout(Duration.ofMinutes(2)));
      first.does.claim();
      first.desk.beginAll();
      slow.awaitBegun();
    }

    /** The late end is refused and leaves no trace; the second node's own end counts. */
    void isRefused(long attempt) throws InterruptedException {
      Task before = stage.find(id);
      assertThat(before.state()).isEqualTo(TaskState.RUNNING);
      assertThat(before.epoch()).isEqualTo(2);
      assertThat(before.counting().attempt()).isEqualTo(attempt);

      slow.end();
      first.desk.awaitAll();
      first.does.settle();

      assertThat(stage.find(id)).isEqualTo(before);
      assertThat(stage.attempts(id)).hasSize(1);
      assertThat(first.does.held()).isZero();

      second.desk.runAll();
      second.does.settle();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(stage.find(id).ending().result()).isNull();
      assertThat(stage.attempts(id)).hasSize(2);
    }

    /** The first node had not heard that the task had moved on. */
    void comesAsASurprise() {
      assertThat(first.heard.stale()).containsExactly(new LeaseKey(id, 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_timed_out_does_not_end_the_next_one(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Late late = new Late(stage);
      // Two minutes of silence, and a second for a handler that does not obey.
      stage.pass(121, late.first, late.second);
      assertThat(stage.find(late.id).state()).isEqualTo(TaskState.RETRY_PENDING);
      stage.pass(60, late.second);

      late.isRefused(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_was_lost_does_not_end_the_same_attempt_elsewhere(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      Late late = new Late(stage);
      stage.pass(28, late.second);

      late.isRefused(0);
      late.comesAsASurprise();
      assertThat(stage.outcomes(late.id))
          .containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_was_canceled_does_not_end_the_one_after_a_revive(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      Late late = new Late(stage);
      late.second.engine.cancel(late.id);
      late.second.engine.revive(late.id);
      assertThat(late.second.does.claim()).isOne();

      late.isRefused(1);
      late.comesAsASurprise();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_was_canceled_does_not_end_a_revived_task_that_waits(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      Late late = new Late(stage);
      late.second.engine.cancel(late.id);
      late.second.engine.revive(late.id);
      Task waiting = stage.find(late.id);

      late.slow.end();
      late.first.desk.awaitAll();
      late.first.does.settle();

      assertThat(stage.find(late.id)).isEqualTo(waiting);
      assertThat(waiting.state()).isEqualTo(TaskState.PENDING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_that_is_told_twice_counts_once_whatever_it_is(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      Lifecycle lifecycle = new Lifecycle(LossLimit.DEFAULT);
      StepNode node = stage.node(Stage.FAILS);
      UUID id = node.engine.submit(Stage.task().retry(AFTER_A_MINUTE));
      node.does.claim();
      Task attempt0 = stage.find(id);
      node.desk.runAll();
      node.does.settle();

      Task waiting = stage.find(id);
      assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);
      for (Outcome end : ENDS) {
        refused(stage, lifecycle, attempt0, end, waiting);
      }

      stage.pass(Duration.ofMinutes(1));
      node.does.renew();
      assertThat(stage.node(Stage.DOES_IT).does.claim()).isOne();
      Task attempt1 = stage.find(id);
      for (Outcome end : ENDS) {
        refused(stage, lifecycle, attempt0, end, attempt1);
      }
      assertThat(attempt1.counting().attempt()).isOne();
    }
  }

  private static void refused(
      Stage stage, Lifecycle lifecycle, Task then, Outcome end, Task stands) {
    List<Verdict> verdicts =
        stage.store().apply(List.of(lifecycle.settle(then, end, stage.clock.instant())));
    assertThat(verdicts)
        .as("%s", end)
        .containsExactly(Verdict.refused(stands.state(), stands.epoch()));
    assertThat(stage.find(then.id())).as("%s", end).isEqualTo(stands);
    assertThat(stage.attempts(then.id())).hasSize(1);
  }
}
