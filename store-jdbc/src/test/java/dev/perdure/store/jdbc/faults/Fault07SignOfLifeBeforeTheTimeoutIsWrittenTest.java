// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.TaskContext;
import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A sign of life came between the search for silent attempts and the write of their timeouts, and
 * the attempt was failed all the same.
 */
class Fault07SignOfLifeBeforeTheTimeoutIsWrittenTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String LANE = "perdure:call";
  private static final Duration LEASE = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  void a_handler_that_reports_in_between_goes_on(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      Patient slow = Patient.obedient();
      StepNode node = stage.node(slow);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT));
      node.does.claim();
      node.desk.beginAll();
      TaskContext context = slow.awaitBegun();

      // The store has not heard of it; whoever runs the handler has.
      stage.pass(TIMEOUT);
      context.progress(3, 10);
      node.does.watch();
      assertThat(node.does.timeOut()).isZero();

      assertThat(stage.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(stage.attempts(id)).isEmpty();
      assertThat(slow.interrupts()).isZero();

      node.does.renew();
      stage.pass(TIMEOUT.minusMillis(1));
      node.does.watch();
      assertThat(context.stopping()).as("just before it is silent for too long").isFalse();
      stage.pass(Duration.ofMillis(1));
      node.does.watch();
      assertThat(context.stopping()).as("silent for too long once more").isTrue();
      context.progress(4, 10);
      node.desk.awaitAll();
      node.settleAll();
      assertThat(slow.interrupts()).isOne();
      assertThat(stage.find(id).ending().failureKind()).isEqualTo("timeout");
    }
  }

  /** The callee reports by its handle, to any node: the one that calls it does not hear of it. */
  @ParameterizedTest
  @EnumSource
  void a_callee_that_reports_while_it_is_being_called_goes_on(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().lane(LANE).timeout(TIMEOUT));
      TaskContext context = called(node, TaskContext::lendHandle);
      for (int i = 0; i < 5; i++) {
        stage.pass(TIMEOUT.minusMillis(1));
        node.does.renew();
        hear(stage, new LeaseKey(id, 1));
        node.does.watch();
        assertThat(node.does.timeOut()).isZero();
        assertThat(context.stopping()).isFalse();
      }

      stage.pass(TIMEOUT);
      node.does.renew();
      node.does.watch();
      assertThat(context.stopping()).as("before the store was asked").isFalse();
      assertThat(node.does.timeOut()).isOne();
      assertThat(context.stopping()).isTrue();
      node.does.watch();
      stage.pass(Duration.ofSeconds(5));
      node.does.watch();
      node.desk.awaitAll();
      node.settleAll();
      assertThat(stage.find(id).ending().failureKind()).isEqualTo("timeout");
      assertThat(node.heard.stale()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_silence_of_a_callee_counts_from_its_last_word(Stores stores) throws Exception {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().lane(LANE).timeout(TIMEOUT));
      called(node, TaskContext::lendHandle);
      Duration before = Duration.ofSeconds(1);
      stage.pass(before);
      hear(stage, new LeaseKey(id, 1));

      stage.pass(TIMEOUT.minus(before));
      node.does.renew();
      assertThat(node.does.timeOut()).as("as long as the call, but not silent so long").isZero();

      stage.pass(before);
      node.does.renew();
      assertThat(node.does.timeOut()).isOne();
      assertThat(stage.find(id).ending().failureKind()).isEqualTo("timeout");
    }
  }

  /** Its answer is the result, and nobody else hears of it: so no retry begins beside it. */
  @ParameterizedTest
  @EnumSource
  void a_call_without_a_handle_is_broken_off_before_its_timeout_is_written(Stores stores)
      throws Exception {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().lane(LANE).timeout(TIMEOUT));
      TaskContext context = called(node, unlent -> {});

      stage.pass(TIMEOUT);
      node.does.renew();
      node.does.watch();
      assertThat(context.stopping()).isTrue();
      node.desk.awaitAll();
      assertThat(node.does.timeOut()).isZero();
      assertThat(stage.find(id).state()).as("its call has ended").isEqualTo(TaskState.RUNNING);

      node.settleAll();
      assertThat(stage.find(id).ending().failureKind()).isEqualTo("timeout");
    }
  }

  /** The context of a call that hangs until it is interrupted. */
  private static TaskContext called(StepNode node, Consumer<TaskContext> first) throws Exception {
    CompletableFuture<TaskContext> called = new CompletableFuture<>();
    node.engine.registerLane(
        LANE,
        context -> {
          first.accept(context);
          called.complete(context);
          new CountDownLatch(1).await();
        },
        HandlerOptions.none());
    node.does.claim();
    node.desk.beginAll();
    return called.get();
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_heard_in_between_is_not_timed_out(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task().timeout(TIMEOUT));
      LeaseKey lease = claimRemotely(stage);

      stage.pass(TIMEOUT);
      node.does.renew();
      node.line.after("silent", () -> hear(stage, lease));
      assertThat(node.does.timeOut()).isZero();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.RUNNING);

      stage.pass(TIMEOUT);
      assertThat(node.does.timeOut()).isOne();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.FAILURE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_remote_worker_heard_in_between_is_not_lost(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      LeaseKey lease = claimRemotely(stage);

      for (int i = 0; i < LEASE.toSeconds() / 5; i++) {
        stage.pass(Duration.ofSeconds(5));
        node.does.renew();
      }
      node.line.after("orphans", () -> hear(stage, lease));
      assertThat(node.does.reap()).isZero();
      assertThat(stage.find(id).state()).isEqualTo(TaskState.RUNNING);
      assertThat(stage.attempts(id)).isEmpty();

      stage.pass((int) LEASE.toSeconds(), node);
      assertThat(stage.outcomes(id)).containsExactly(AttemptOutcome.LOST);
    }
  }

  private static LeaseKey claimRemotely(Stage stage) {
    ClaimRequest request =
        new ClaimRequest(
            new Holder.OfWorker("elsewhere", LEASE),
            List.of(new ClaimRequest.Room(StepNode.KIND, 1)),
            1,
            true);
    return stage.store().claim(request).leases().getFirst().task().lease();
  }

  private static void hear(Stage stage, LeaseKey lease) {
    assertThat(stage.store().signs(List.of(new SignOfLife(lease, null, null, LEASE))))
        .containsExactly(Verdict.done());
  }
}
