// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The last attempt failed, nobody wrote it down, and the task stayed Running. */
class Fault15FinalFailureIsRecordedTest {

  private static final int MOST_MESSAGE = 4 * 1024;

  /** An exception that breaks when it is asked what happened. */
  private static final class Mute extends RuntimeException {

    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  /** A result that cannot become JSON. */
  static final class Endless {
    public Endless getSelf() {
      return new Endless();
    }
  }

  /** The task's one attempt ends like this; what was recorded of it. */
  private static Attempt failedOnce(Stage stage, TaskHandler<String> handler) {
    StepNode node = stage.node(handler);
    UUID id = node.engine.submit(Stage.task());
    node.work();
    return recorded(stage, node, id, EndReason.NO_POLICY);
  }

  private static Attempt recorded(Stage stage, StepNode node, UUID id, EndReason reason) {
    Task task = stage.find(id);
    assertThat(task.state()).isEqualTo(TaskState.FAILURE);
    assertThat(task.worker()).isNull();
    assertThat(task.times().endedAt()).isEqualTo(stage.clock.instant());
    assertThat(task.ending().giveUpReason()).isEqualTo(reason);
    Attempt last = stage.attempts(id).getLast();
    assertThat(last.note().outcome()).isEqualTo(AttemptOutcome.FAILURE);
    assertThat(last.endedAt()).isEqualTo(stage.clock.instant());
    assertThat(last.nextAt()).isNull();
    assertThat(task.ending().failureKind()).isEqualTo(last.note().failureKind()).isNotNull();
    assertThat(task.ending().failureReason()).isEqualTo(last.note().message()).isNotNull();
    assertThat(node.does.held()).as("slots still taken").isZero();
    return last;
  }

  @ParameterizedTest
  @EnumSource
  void the_last_of_three_attempts_is_recorded_with_the_reason(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.FAILS);
      RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(10)).maxRetries(2).build();
      UUID id = node.engine.submit(Stage.task().retry(policy));
      for (int i = 0; i < 3; i++) {
        stage.pass(Duration.ofSeconds(20));
        node.does.renew();
        node.does.renew();
        assertThat(node.work()).isOne();
      }

      Attempt last = recorded(stage, node, id, EndReason.EXHAUSTED);
      assertThat(last.number()).isEqualTo(2);
      assertThat(stage.attempts(id))
          .extracting(attempt -> attempt.note().message())
          .containsExactly("attempt 0 broke", "attempt 1 broke", "attempt 2 broke");
      stage.pass(Duration.ofDays(1));
      assertThat(stage.node(Stage.FAILS).does.claim()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_error_is_a_failure_too(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      Attempt last =
          failedOnce(
              stage,
              (payload, context) -> {
                throw new StackOverflowError("too deep");
              });
      assertThat(last.note().message()).isEqualTo("too deep");
      assertThat(last.note().exceptionTypes()).startsWith("java.lang.StackOverflowError");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_a_database_cannot_hold_is_recorded_without_what_it_cannot(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      Attempt last =
          failedOnce(
              stage,
              (payload, context) -> {
                throw new IllegalStateException("before\0after");
              });
      assertThat(last.note().message()).isEqualTo("before\uFFFDafter");
      assertThat(last.note().stack()).contains("before\uFFFDafter");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_huge_message_is_cut(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      Attempt last =
          failedOnce(
              stage,
              (payload, context) -> {
                throw new IllegalStateException("x" + "\uD83D\uDE00".repeat(1_000_000));
              });
      assertThat(last.note().message()).startsWith("x\uD83D\uDE00").endsWith("…");
      assertThat(last.note().message().length()).isBetween(MOST_MESSAGE - 2, MOST_MESSAGE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_exception_without_a_message_or_that_breaks_when_asked_is_named(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      Attempt silent =
          failedOnce(
              stage,
              (payload, context) -> {
                throw new IllegalStateException();
              });
      assertThat(silent.note().message()).isEqualTo("java.lang.IllegalStateException");
      Attempt mute =
          failedOnce(
              stage,
              (payload, context) -> {
                throw new Mute();
              });
      assertThat(mute.note().message()).isEqualTo(Mute.class.getName());
      assertThat(mute.note().exceptionTypes()).startsWith(Mute.class.getName());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_result_that_cannot_become_json_fails_the_attempt(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      Attempt last = failedOnce(stage, (payload, context) -> context.result(new Endless()));
      assertThat(last.note().message()).startsWith("result: cannot be written as JSON");
      assertThat(last.note().result()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_predicate_that_breaks_does_not_keep_the_attempt_from_its_end(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      node.engine.register(
          "other",
          String.class,
          Stage.FAILS,
          HandlerOptions.none()
              .withRetryIf(
                  thrown -> {
                    throw new NoClassDefFoundError("gone");
                  }));
      UUID id = node.engine.submit(NewTask.of("other", "payload"));
      node.work();
      assertThat(recorded(stage, node, id, EndReason.NO_POLICY).note().message())
          .isEqualTo("attempt 0 broke");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_that_the_store_never_takes_is_recorded_as_a_failure_that_says_so(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node((payload, context) -> context.result("fine"));
      List<UUID> ids = node.engine.submit(Stage.tasks(100, Stage.task()));
      Engine other = stage.node(Stage.DOES_IT).engine;
      node.does.claim();
      node.desk.runAll();
      node.line.refuse(
          "apply",
          written -> written.contains("outcome=SUCCESS") && written.contains("" + ids.get(42)));
      int rounds = 0;
      // No round throws, so none is followed by the wait of a loop that fails.
      while (node.does.settle() > 0) {
        rounds++;
      }

      assertThat(rounds).as("rounds to find the one among them").isLessThan(50);
      assertThat(recorded(stage, node, ids.get(42), EndReason.NO_POLICY).note().code())
          .isEqualTo("unstorable");
      assertThat(other.find(ids.get(41)).orElseThrow().state()).isEqualTo(TaskState.SUCCESS);
      assertThat(stage.count(TaskState.SUCCESS)).isEqualTo(99);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_of_which_the_store_takes_nothing_at_all_is_tried_on_with_a_wait(Stores stores) {
    try (Stage stage = new Stage(stores)) {
      StepNode node = stage.node(Stage.DOES_IT);
      UUID id = node.engine.submit(Stage.task());
      node.does.claim();
      node.desk.runAll();
      node.line.refuse("apply", written -> true);
      assertThat(node.does.settle()).isOne();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(node.does::settle).isInstanceOf(StoreException.class);
      }
      assertThat(node.does.held()).isOne();
      node.line.refuse("apply", written -> false);
      node.does.settle();

      assertThat(recorded(stage, node, id, EndReason.NO_POLICY).note().code())
          .isEqualTo("unstorable");
    }
  }
}
