// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Definition;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commit was done and its answer lost: the task was claimed, and nobody ran it, for ever. */
class Fault23LostCommitAnswerTest {

  private static void losesItsAnswer(ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(StoreException.class))
        .matches(StoreException::unknown, "unknown");
  }

  @ParameterizedTest
  @EnumSource
  void what_a_claim_took_unanswered_is_handed_back_at_the_next_renewal(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      List<UUID> ran = new ArrayList<>();
      StepNode node = stage.node((payload, context) -> ran.add(context.task().id()));
      StepNode other = stage.node(Stage.DOES_IT);
      List<UUID> ids = node.engine.submit(Stage.tasks(3, Stage.task()));
      node.line.loseAnswerOf("claim");
      losesItsAnswer(node.does::claim);
      assertThat(stage.count(TaskState.RUNNING)).isEqualTo(3);
      assertThat(node.does.held()).isZero();
      assertThat(other.does.claim()).isZero();

      stage.pass(Duration.ofSeconds(5));
      node.does.renew();
      assertThat(node.does.reconcile()).isEqualTo(3);
      assertThat(stage.count(TaskState.PENDING)).isEqualTo(3);
      assertThat(node.heard.changes())
          .extracting(Change::task)
          .containsExactlyInAnyOrderElementsOf(ids);
      assertThat(node.work()).isEqualTo(3);

      assertThat(ran).containsExactlyInAnyOrderElementsOf(ids);
      for (UUID id : ids) {
        assertThat(stage.find(id).state()).isEqualTo(TaskState.SUCCESS);
        assertThat(stage.find(id).counting().losses()).isZero();
        assertThat(stage.outcomes(id))
            .containsExactly(AttemptOutcome.HANDED_BACK, AttemptOutcome.SUCCESS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_whose_answer_is_only_late_is_not_handed_back(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      node.line.after(
          "claim",
          () -> {
            node.does.renew();
            assertThat(node.does.reconcile()).isZero();
          });
      assertThat(node.work()).isOne();

      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_that_leaves_hands_back_what_a_claim_took_unanswered(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID before = node.engine.submit(Stage.task());
      node.line.loseAnswerOf("claim");
      losesItsAnswer(node.does::claim);
      stage.pass(Duration.ofMinutes(1));
      node.does.renew();
      UUID now = node.engine.submit(Stage.task());
      node.line.loseAnswerOf("claim");
      losesItsAnswer(node.does::claim);

      node.does.leave();
      assertThat(stage.store().nodes().alive()).isEmpty();
      for (UUID id : List.of(before, now)) {
        assertThat(stage.find(id).state()).isEqualTo(TaskState.PENDING);
        assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void however_much_is_to_be_handed_back_a_renewal_is_one_call(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(250, Stage.DOES_IT);
      node.engine.submit(Stage.tasks(250, Stage.task()));
      node.line.loseAnswerOf("claim");
      losesItsAnswer(node.does::claim);

      AtomicInteger calls = new AtomicInteger();
      node.line.around(calls::incrementAndGet);
      stage.pass(Duration.ofSeconds(5));
      node.does.renew();
      node.does.renew();
      node.line.around(() -> {});
      assertThat(calls).as("before and after each call").hasValue(4);
      assertThat(List.of(node.does.reconcile(), node.does.reconcile(), node.does.reconcile()))
          .containsExactly(100, 100, 50);
      assertThat(stage.count(TaskState.PENDING)).isEqualTo(250);
    }
  }

  @ParameterizedTest
  @EnumSource
  void trouble_with_what_a_former_id_holds_does_not_hold_up_the_present_one(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient slow = Patient.obedient();
      StepNode node = stage.node(slow);
      UUID old = node.engine.submit(Stage.task());
      node.line.loseAnswerOf("claim");
      losesItsAnswer(node.does::claim);
      stage.pass(Duration.ofMinutes(1));
      node.does.renew();
      node.line.refuse("held", text -> true);

      UUID id = node.engine.submit(Stage.task());
      node.does.claim();
      node.desk.beginAll();
      Task running = slow.awaitBegun().task();
      stage.store().apply(List.of(new Lifecycle(LossLimit.DEFAULT).cancel(running)));
      node.does.renew();
      node.desk.awaitAll();
      assertThat(slow.interrupts()).as("it is no longer the node's").isOne();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.CANCELED);
      assertThat(stage.find(old).state()).isEqualTo(TaskState.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_written_unanswered_is_written_once_and_told_once(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node((payload, context) -> context.result("done"));
      List<UUID> ids = node.engine.submit(Stage.tasks(3, Stage.task()));
      node.does.claim();
      node.desk.runAll();
      node.line.loseAnswerOf("apply");
      losesItsAnswer(node.does::settle);
      assertThat(node.does.held()).as("slots taken while nobody knows").isEqualTo(3);

      List<Task> written = stage.all();
      node.settleAll();
      assertThat(stage.all()).isEqualTo(written);
      assertThat(written).allMatch(task -> task.state() == TaskState.SUCCESS);
      for (UUID id : ids) {
        assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      }
      assertThat(node.heard.stale()).isEmpty();
      assertThat(node.heard.changes())
          .extracting(Change::task)
          .containsExactlyInAnyOrderElementsOf(ids);
      assertThat(node.does.held()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_written_before_another_shard_failed_is_written_once_and_told_once(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node((payload, context) -> context.result("done"));
      UUID id = node.engine.submit(Stage.task());
      node.does.claim();
      node.desk.runAll();
      node.line.failAfter("apply");
      assertThatThrownBy(node.does::settle).isInstanceOf(StoreException.class);

      node.settleAll();

      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
      assertThat(node.heard.stale()).isEmpty();
      assertThat(node.heard.changes()).extracting(Change::task).containsExactly(id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_failure_written_unanswered_uses_up_one_retry(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      RetryPolicy policy = RetryPolicy.fixed(Duration.ofMinutes(1)).maxRetries(3).build();
      StepNode node = stage.node(Stage.FAILS);
      UUID id = node.engine.submit(Stage.task().retry(policy));
      node.does.claim();
      node.desk.runAll();
      node.line.loseAnswerOf("apply");
      losesItsAnswer(node.does::settle);
      Task once = stage.find(id);
      stage.pass(Duration.ofSeconds(1));
      node.does.settle();

      assertThat(stage.find(id)).isEqualTo(once);
      assertThat(once.state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(once.counting().attempt()).isOne();
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.FAILURE);
      assertThat(node.does.held()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_submission_repeated_after_a_lost_answer_adds_nothing(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID batch = new UUID(0x7000, 0x8000_0000_0000_1000L);
      UUID id = new UUID(0x7000, 0x8000_0000_0000_2000L);
      Definition work = Definition.of(StepNode.KIND, "\"payload\"");
      Submission given = new Submission(batch, List.of(new Submission.NewRow(id, work, Due.now())));
      node.line.loseAnswerOf("submit");
      losesItsAnswer(() -> node.line.store().submit(given));
      assertThat(node.work()).as("it was stored").isOne();
      Task done = stage.find(id);

      stage.pass(Duration.ofSeconds(1));
      node.line.store().submit(given);

      assertThat(stage.all()).containsExactly(done);
      assertThat(done.state()).isEqualTo(TaskState.SUCCESS);
      assertThat(node.does.claim()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_asks_again_for_the_answer_to_a_submission(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      node.line.loseAnswersOf("submit", 3);
      List<UUID> ids = node.engine.submit(Stage.tasks(3, Stage.task()));

      assertThat(stage.all()).extracting(Task::id).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_that_gets_no_answer_says_that_the_tasks_may_exist(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      node.line.loseAnswersOf("submit", 100);
      assertThatThrownBy(() -> node.engine.submit(Stage.task()))
          .hasMessageContaining("may exist")
          .asInstanceOf(type(StoreException.class))
          .matches(StoreException::unknown, "unknown");
      assertThat(stage.all()).as("one batch, however often it was sent").hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_unknown_stays_unknown_when_the_store_goes_away(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      node.line.loseAnswerOf("submit");
      node.line.after("submit", node.line::cut);
      losesItsAnswer(() -> node.engine.submit(Stage.task()));
      node.line.cut();
      assertThatThrownBy(() -> node.engine.submit(Stage.task()))
          .asInstanceOf(type(StoreException.class))
          .matches(problem -> !problem.unknown(), "not done, and known not to be");
      assertThat(stage.all()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_row_written_unanswered_when_a_node_joins_is_no_obstacle(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      stage.pass(Duration.ofMinutes(1));
      node.line.loseAnswerOf("join");
      losesItsAnswer(node.does::renew);
      assertThat(node.does.claim()).isZero();

      node.does.renew();
      assertThat(node.work()).isOne();
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.SUCCESS);
    }
  }
}
