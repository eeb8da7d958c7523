// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Between its claim and its start the task was canceled or paused, and it started all the same. */
class Fault03CanceledOrPausedStartsAllTheSameTest {

  private static final Lifecycle LIFECYCLE = new Lifecycle(LossLimit.DEFAULT);

  /** A claim that leaves the start for later, as a webhook's does. */
  private static Task claimWithoutStart(Stage stage) {
    ClaimRequest request =
        new ClaimRequest(
            new Holder.OfWorker("elsewhere", Duration.ofMinutes(1)),
            List.of(new ClaimRequest.Room(StepNode.KIND, 1)),
            1,
            false);
    return stage.store().claim(request).leases().getFirst().task();
  }

  private static Verdict write(Stage stage, Change change) {
    return stage.store().apply(List.of(change)).getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void what_was_canceled_after_its_claim_does_not_start(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      Task claimed = claimWithoutStart(stage);
      node.engine.cancel(id);
      Task canceled = stage.find(id);

      assertThat(write(stage, LIFECYCLE.start(claimed)))
          .isEqualTo(Verdict.refused(TaskState.CANCELED, claimed.epoch()));

      assertThat(stage.find(id)).isEqualTo(canceled);
      assertThat(canceled.times().startedAt()).isNull();
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.CANCELED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_paused_after_its_claim_does_not_start_and_is_handed_back(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      Task claimed = claimWithoutStart(stage);
      node.engine.pause(id);

      assertThat(write(stage, LIFECYCLE.start(claimed)))
          .isEqualTo(Verdict.refused(TaskState.CLAIMED, claimed.epoch()));
      Change handBack = LIFECYCLE.settle(claimed, new Outcome.HandedBack(), stage.clock.instant());
      assertThat(write(stage, handBack).applied()).isTrue();

      Task back = stage.find(id);
      assertThat(back.state()).isEqualTo(TaskState.PENDING);
      assertThat(back.paused()).isTrue();
      assertThat(back.counting()).isEqualTo(claimed.counting());
      assertThat(node.does.claim()).isZero();

      node.engine.resume(id);
      assertThat(node.work()).isOne();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
      assertThat(stage.outcomes(id))
          .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_not_touched_does_start(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      Task claimed = claimWithoutStart(stage);

      assertThat(write(stage, LIFECYCLE.start(claimed)).applied()).isTrue();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(stage.find(id).times().startedAt()).isEqualTo(stage.clock.instant());
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_canceled_or_paused_is_not_claimed(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode fails = stage.node(Stage.FAILS);
      RetryPolicy retry = RetryPolicy.fixed(Duration.ofSeconds(5)).maxRetries(3).build();
      List<UUID> retries = fails.engine.submit(Stage.tasks(2, Stage.task().retry(retry)));
      assertThat(fails.work()).isEqualTo(2);
      List<UUID> fresh = fails.engine.submit(Stage.tasks(3, Stage.task()));
      for (List<UUID> ids : List.of(retries, fresh)) {
        fails.engine.cancel(ids.getFirst());
        fails.engine.pause(ids.get(1));
      }

      stage.pass(Duration.ofSeconds(10));
      List<UUID> ran = new ArrayList<>();
      StepNode node = stage.node((payload, context) -> ran.add(context.task().id()));
      assertThat(node.work()).isOne();

      assertThat(ran).containsExactly(fresh.getLast());
      assertThat(stage.find(retries.get(1)).state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(stage.find(fresh.get(1)).state()).isEqualTo(TaskState.PENDING);
      assertThat(stage.count(TaskState.CANCELED)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_canceled_before_its_handler_began_is_not_handled(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      List<UUID> ran = new ArrayList<>();
      StepNode node = stage.node((payload, context) -> ran.add(context.task().id()));
      UUID id = node.engine.submit(Stage.task());
      node.does.claim();
      node.engine.cancel(id);

      node.desk.runAll();
      node.does.settle();

      assertThat(ran).isEmpty();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.CANCELED);
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.CANCELED);
      assertThat(node.does.held()).isZero();
    }
  }
}
