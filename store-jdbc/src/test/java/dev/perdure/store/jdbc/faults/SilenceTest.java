// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only a handler that ran and was silent times out; and it is stopped before it is tried again. */
class SilenceTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final RetryPolicy AT_ONCE = RetryPolicy.immediate().maxRetries(3).build();

  @ParameterizedTest
  @EnumSource
  void a_handler_that_reports_through_an_outage_is_not_timed_out(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient busy = Patient.obedient();
      StepNode node = stage.node(1, busy);
      StepNode other = stage.node(1, Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT));
      node.does.claim();
      node.desk.beginAll();
      TaskContext context = busy.awaitBegun();
      stage.pass(20, () -> context.progress(1, 2), node, other);
      node.line.cut();
      other.line.cut();
      stage.pass(60, () -> context.progress(1, 2), node, other);
      node.desk.awaitAll();
      node.line.mend();
      other.line.mend();
      // Who judges by what the store was told must not be faster than who hands back.
      other.second();
      stage.pass(3, node, other);

      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_sign_that_the_store_has_not_heard_of_counts(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient busy = Patient.obedient();
      StepNode node = stage.node(1, busy);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT));
      node.does.claim();
      node.desk.beginAll();
      TaskContext context = busy.awaitBegun();
      for (int second = 0; second < 12; second++) {
        stage.pass(Duration.ofSeconds(1));
        context.progress(second, 12);
        node.does.renew();
      }

      node.does.watch();
      assertThat(node.does.timeOut()).isZero();
      assertThat(busy.interrupts()).isZero();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_dead_node_ran_is_lost_and_not_timed_out(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient slow = Patient.obedient();
      StepNode node = stage.node(1, slow);
      StepNode other = stage.node(1, Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.does.claim();
      node.desk.beginAll();
      slow.awaitBegun();

      stage.pass(26, other);
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.LOST);
      assertThat(stage.find(id).counting().attempt()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_nobody_was_told_of_is_handed_back_and_not_timed_out(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(1, Stage.DOES_IT);
      stage.pass(16, node);
      UUID id = node.engine.submit(Stage.task().timeout(Duration.ofSeconds(2)));
      node.line.loseAnswerOf("claim");
      stage.pass(6, node);

      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.HANDED_BACK);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_has_the_time_to_be_heard_after_an_outage(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT));
      Holder worker = new Holder.OfWorker("elsewhere", Duration.ofHours(1));
      List<ClaimRequest.Room> room = List.of(new ClaimRequest.Room(StepNode.KIND, 1));
      stage.store().claim(new ClaimRequest(worker, room, 1, true));
      node.line.cut();
      stage.pass(60, node);
      node.line.mend();

      stage.pass(9, node);
      assertThat(stage.find(id).state()).isEqualTo(TaskState.RUNNING);
      stage.pass(15, node);
      assertThat(stage.find(id).ending().failureKind()).isEqualTo("timeout");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_obedient_handler_has_ended_before_anybody_gets_its_task(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient slow = Patient.obedient();
      StepNode node = stage.node(1, slow);
      StepNode other = stage.node(1, Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.does.claim();
      node.desk.beginAll();
      slow.awaitBegun();
      stage.pass(TIMEOUT);

      node.does.watch();
      node.desk.awaitAll();
      assertThat(slow.interrupts()).isOne();
      assertThat(stage.find(id).state())
          .as("until its end is written")
          .isEqualTo(TaskState.RUNNING);
      assertThat(other.does.claim()).isZero();
      node.settleAll();
      assertThat(other.work()).isOne();
      assertThat(stage.outcomes(id))
          .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS);
      assertThat(node.heard.changes())
          .extracting(Change::event)
          .containsExactly(TaskEvent.TIME_OUT_AND_RETRY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stubborn_handler_is_waited_for_a_second_and_keeps_its_slot(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient stubborn = Patient.stubborn();
      StepNode node = stage.node(1, stubborn);
      StepNode other = stage.node(1, Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT).retry(AT_ONCE));
      node.does.claim();
      node.desk.beginAll();
      stubborn.awaitBegun();
      stage.pass(TIMEOUT);
      node.does.watch();
      stage.pass(Duration.ofMillis(999));
      node.does.watch();
      assertThat(node.does.settle()).isZero();

      stage.pass(Duration.ofMillis(1));
      node.does.watch();
      assertThat(node.does.settle()).isOne();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.RETRY_PENDING);
      assertThat(node.does.claim()).as("its slot is taken as long as it runs").isZero();
      assertThat(other.work()).isOne();
      stubborn.end();
      node.desk.awaitAll();
      assertThat(stage.outcomes(id))
          .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_task_that_the_store_does_not_take_keeps_no_other_waiting(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID first = node.engine.submit(late(stage));
      UUID second = node.engine.submit(late(stage));
      stage.pass(Duration.ofMinutes(2));
      node.line.refuse("apply", changes -> changes.contains(first.toString()));

      assertThat(node.does.expire()).isOne();
      assertThat(stage.find(first).state()).isEqualTo(TaskState.PENDING);
      assertThat(stage.find(second).state()).isEqualTo(TaskState.FAILURE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_task_that_cannot_be_decided_keeps_no_other_waiting(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID ended = node.engine.submit(Stage.task());
      node.work();
      UUID late = node.engine.submit(late(stage));
      stage.pass(Duration.ofMinutes(2));
      node.line.alter("pastDeadline", found -> stage.with(found, ended));

      assertThat(node.does.expire()).isOne();
      assertThat(stage.find(late).state()).isEqualTo(TaskState.FAILURE);
      assertThat(stage.find(ended).state()).isEqualTo(TaskState.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_store_that_cannot_tell_what_is_silent_holds_up_no_deadline(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID late = node.engine.submit(late(stage));
      node.line.alter(
          "silent",
          found -> {
            throw new StoreException("no", null, StoreException.Sort.UNAVAILABLE);
          });

      stage.pass(90, node);
      assertThat(stage.find(late).ending().giveUpReason()).isNotNull();
    }
  }

  private static NewTask late(Stage stage) {
    return Stage.task()
        .in(Duration.ofDays(1))
        .deadline(stage.clock.instant().plus(Duration.ofMinutes(1)));
  }
}
