// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.Engine;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The last attempt failed, nobody wrote it down, and the task stayed Running. */
class Fault15FinalFailureIsRecordedTest {

  private static final int MAX_MESSAGE = 4 * 1024;

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
  private static Attempt failedOnce(TestCluster testCluster, TaskHandler<String> handler) {
    ManualNode node = testCluster.node(handler);
    UUID id = node.engine.submit(TestCluster.task());
    node.claimAndRun();
    return recorded(testCluster, node, id, TaskGiveUpReason.NO_POLICY);
  }

  private static Attempt recorded(
      TestCluster testCluster, ManualNode node, UUID id, TaskGiveUpReason reason) {
    Task task = testCluster.find(id);
    assertThat(task.state()).isEqualTo(TaskState.FAILURE);
    assertThat(task.worker()).isNull();
    assertThat(task.times().endedAt()).isEqualTo(testCluster.clock.instant());
    assertThat(task.lastResult().giveUpReason()).isEqualTo(reason);
    Attempt last = testCluster.attempts(id).getLast();
    assertThat(last.details().outcome()).isEqualTo(AttemptOutcome.FAILURE);
    assertThat(last.endedAt()).isEqualTo(testCluster.clock.instant());
    assertThat(last.nextAttemptAt()).isNull();
    assertThat(task.lastResult().failureKind()).isEqualTo(last.details().failureKind()).isNotNull();
    assertThat(task.lastResult().failureReason()).isEqualTo(last.details().message()).isNotNull();
    assertThat(node.loops.unsettled()).as("slots still taken").isZero();
    return last;
  }

  @ParameterizedTest
  @EnumSource
  void the_last_of_three_attempts_is_recorded_with_the_reason(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.FAILS);
      RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(10)).maxRetries(2).build();
      UUID id = node.engine.submit(TestCluster.task().retry(policy));
      for (int i = 0; i < 3; i++) {
        testCluster.advance(Duration.ofSeconds(20));
        node.loops.renew();
        node.loops.renew();
        assertThat(node.claimAndRun()).isOne();
      }

      Attempt last = recorded(testCluster, node, id, TaskGiveUpReason.EXHAUSTED);
      assertThat(last.number()).isEqualTo(2);
      assertThat(testCluster.attempts(id))
          .extracting(attempt -> attempt.details().message())
          .containsExactly("attempt 0 broke", "attempt 1 broke", "attempt 2 broke");
      testCluster.advance(Duration.ofDays(1));
      assertThat(testCluster.node(TestCluster.FAILS).loops.claim()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_error_is_a_failure_too(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Attempt last =
          failedOnce(
              testCluster,
              (payload, context) -> {
                throw new StackOverflowError("too deep");
              });
      assertThat(last.details().message()).isEqualTo("too deep");
      assertThat(last.details().exceptionTypes()).startsWith("java.lang.StackOverflowError");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_a_database_cannot_hold_is_recorded_without_what_it_cannot(
      TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Attempt last =
          failedOnce(
              testCluster,
              (payload, context) -> {
                throw new IllegalStateException("before\0after");
              });
      assertThat(last.details().message()).isEqualTo("before\uFFFDafter");
      assertThat(last.details().stack()).contains("before\uFFFDafter");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_huge_message_is_cut(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Attempt last =
          failedOnce(
              testCluster,
              (payload, context) -> {
                throw new IllegalStateException("x" + "\uD83D\uDE00".repeat(1_000_000));
              });
      assertThat(last.details().message()).startsWith("x\uD83D\uDE00").endsWith("…");
      assertThat(last.details().message().length()).isBetween(MAX_MESSAGE - 2, MAX_MESSAGE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_exception_without_a_message_or_that_breaks_when_asked_is_named(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Attempt silent =
          failedOnce(
              testCluster,
              (payload, context) -> {
                throw new IllegalStateException();
              });
      assertThat(silent.details().message()).isEqualTo("java.lang.IllegalStateException");
      Attempt mute =
          failedOnce(
              testCluster,
              (payload, context) -> {
                throw new Mute();
              });
      assertThat(mute.details().message()).isEqualTo(Mute.class.getName());
      assertThat(mute.details().exceptionTypes()).startsWith(Mute.class.getName());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_result_that_cannot_become_json_fails_the_attempt(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Attempt last = failedOnce(testCluster, (payload, context) -> context.result(new Endless()));
      assertThat(last.details().message()).startsWith("result: cannot be written as JSON");
      assertThat(last.details().result()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_predicate_that_breaks_does_not_keep_the_attempt_from_its_end(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      node.engine.register(
          "other",
          String.class,
          TestCluster.FAILS,
          HandlerOptions.defaults()
              .withRetryIf(
                  thrown -> {
                    throw new NoClassDefFoundError("gone");
                  }));
      UUID id = node.engine.submit(NewTask.of("other", "payload"));
      node.claimAndRun();
      assertThat(recorded(testCluster, node, id, TaskGiveUpReason.NO_POLICY).details().message())
          .isEqualTo("attempt 0 broke");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_that_the_store_never_takes_is_recorded_as_a_failure_that_says_so(
      TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node((payload, context) -> context.result("fine"));
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(100, TestCluster.task())).ids();
      Engine other = testCluster.node(TestCluster.SUCCEEDS).engine;
      node.loops.claim();
      node.workers.runAll();
      node.line.refuse(
          "apply",
          written -> written.contains("outcome=SUCCESS") && written.contains("" + ids.get(42)));
      int rounds = 0;
      // No round throws, so none is followed by the wait of a loop that fails.
      while (node.loops.settle() > 0) {
        rounds++;
      }

      assertThat(rounds).as("rounds to find the one among them").isLessThan(50);
      assertThat(
              recorded(testCluster, node, ids.get(42), TaskGiveUpReason.NO_POLICY).details().code())
          .isEqualTo("unstorable");
      assertThat(other.find(ids.get(41)).orElseThrow().state()).isEqualTo(TaskState.SUCCESS);
      assertThat(testCluster.count(TaskState.SUCCESS)).isEqualTo(99);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_of_which_the_store_takes_nothing_at_all_is_tried_on_with_a_wait(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      ManualNode node = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.runAll();
      node.line.refuse("apply", written -> true);
      assertThat(node.loops.settle()).isOne();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(node.loops::settle).isInstanceOf(StoreException.class);
      }
      assertThat(node.loops.unsettled()).isOne();
      node.line.refuse("apply", written -> false);
      node.loops.settle();

      assertThat(recorded(testCluster, node, id, TaskGiveUpReason.NO_POLICY).details().code())
          .isEqualTo("unstorable");
    }
  }
}
