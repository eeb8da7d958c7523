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

/** Fault: the last attempt failed, the failure was not recorded, and the task stayed Running. */
class Fault15FinalFailureIsRecordedTest {

  private static final int MAX_MESSAGE = 4 * 1024;

  /** An exception that throws when its message is read. */
  private static final class UnreadableMessageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  /** A result that cannot be serialized to JSON. */
  static final class Endless {
    public Endless getSelf() {
      return new Endless();
    }
  }

  /** Fails the task's only attempt with this handler and returns its record. */
  private static Attempt failOnce(TestCluster cluster, TaskHandler<String> handler) {
    ManualNode node = cluster.node(handler);
    UUID id = node.engine.submit(TestCluster.task());
    node.claimAndRun();
    return assertRecorded(cluster, node, id, TaskGiveUpReason.NO_POLICY);
  }

  private static Attempt assertRecorded(
      TestCluster cluster, ManualNode node, UUID id, TaskGiveUpReason reason) {
    Task task = cluster.find(id);
    assertThat(task.state()).isEqualTo(TaskState.FAILURE);
    assertThat(task.worker()).isNull();
    assertThat(task.times().endedAt()).isEqualTo(cluster.clock.instant());
    assertThat(task.lastResult().giveUpReason()).isEqualTo(reason);
    Attempt last = cluster.attempts(id).getLast();
    assertThat(last.details().outcome()).isEqualTo(AttemptOutcome.FAILURE);
    assertThat(last.endedAt()).isEqualTo(cluster.clock.instant());
    assertThat(last.nextAttemptAt()).isNull();
    assertThat(task.lastResult().failureKind()).isEqualTo(last.details().failureKind()).isNotNull();
    assertThat(task.lastResult().failureReason()).isEqualTo(last.details().message()).isNotNull();
    assertThat(node.loops.unsettled()).as("slots in use").isZero();
    return last;
  }

  @ParameterizedTest
  @EnumSource
  void the_last_of_three_attempts_is_recorded_with_its_reason(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.FAILS);
      RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(10)).maxRetries(2).build();
      UUID id = node.engine.submit(TestCluster.task().retry(policy));
      for (int i = 0; i < 3; i++) {
        cluster.advance(Duration.ofSeconds(20));
        node.loops.renew();
        node.loops.renew();
        assertThat(node.claimAndRun()).isOne();
      }

      Attempt last = assertRecorded(cluster, node, id, TaskGiveUpReason.EXHAUSTED);
      assertThat(last.number()).isEqualTo(2);
      assertThat(cluster.attempts(id))
          .extracting(attempt -> attempt.details().message())
          .containsExactly("attempt 0 failed", "attempt 1 failed", "attempt 2 failed");
      cluster.advance(Duration.ofDays(1));
      assertThat(cluster.node(TestCluster.FAILS).loops.claim()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_error_is_a_failure_too(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Attempt last =
          failOnce(
              cluster,
              (payload, context) -> {
                throw new StackOverflowError("too deep");
              });
      assertThat(last.details().message()).isEqualTo("too deep");
      assertThat(last.details().exceptionTypes()).startsWith("java.lang.StackOverflowError");
    }
  }

  @ParameterizedTest
  @EnumSource
  void characters_that_a_database_cannot_store_are_replaced(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Attempt last =
          failOnce(
              cluster,
              (payload, context) -> {
                throw new IllegalStateException("before\0after");
              });
      assertThat(last.details().message()).isEqualTo("before\uFFFDafter");
      assertThat(last.details().stack()).contains("before\uFFFDafter");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_huge_message_is_truncated(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Attempt last =
          failOnce(
              cluster,
              (payload, context) -> {
                throw new IllegalStateException("x" + "\uD83D\uDE00".repeat(1_000_000));
              });
      assertThat(last.details().message()).startsWith("x\uD83D\uDE00").endsWith("…");
      assertThat(last.details().message().length()).isBetween(MAX_MESSAGE - 2, MAX_MESSAGE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_exception_without_a_readable_message_is_recorded_by_class_name(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Attempt withoutMessage =
          failOnce(
              cluster,
              (payload, context) -> {
                throw new IllegalStateException();
              });
      assertThat(withoutMessage.details().message()).isEqualTo("java.lang.IllegalStateException");
      Attempt unreadable =
          failOnce(
              cluster,
              (payload, context) -> {
                throw new UnreadableMessageException();
              });
      assertThat(unreadable.details().message())
          .isEqualTo(UnreadableMessageException.class.getName());
      assertThat(unreadable.details().exceptionTypes())
          .startsWith(UnreadableMessageException.class.getName());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_result_that_cannot_be_serialized_fails_the_attempt(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      Attempt last = failOnce(cluster, (payload, context) -> context.result(new Endless()));
      assertThat(last.details().message()).startsWith("result: cannot be written as JSON");
      assertThat(last.details().result()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_retry_predicate_that_throws_does_not_prevent_the_end(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
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
      assertThat(assertRecorded(cluster, node, id, TaskGiveUpReason.NO_POLICY).details().message())
          .isEqualTo("attempt 0 failed");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_result_that_the_store_refuses_is_recorded_as_a_failure(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node((payload, context) -> context.result("fine"));
      List<UUID> ids = node.engine.submitAll(TestCluster.tasks(100, TestCluster.task())).ids();
      Engine other = cluster.node(TestCluster.SUCCEEDS).engine;
      node.loops.claim();
      node.workers.runAll();
      node.faults.refuse(
          "apply",
          written -> written.contains("outcome=SUCCESS") && written.contains("" + ids.get(42)));
      int rounds = 0;
      // No round throws, so the loop never backs off.
      while (node.loops.settle() > 0) {
        rounds++;
      }

      assertThat(rounds).as("rounds to isolate the refused one").isLessThan(50);
      assertThat(
              assertRecorded(cluster, node, ids.get(42), TaskGiveUpReason.NO_POLICY)
                  .details()
                  .code())
          .isEqualTo("unstorable");
      assertThat(other.find(ids.get(41)).orElseThrow().state()).isEqualTo(TaskState.SUCCESS);
      assertThat(cluster.count(TaskState.SUCCESS)).isEqualTo(99);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_end_that_the_store_keeps_refusing_is_retried_with_a_delay(TestStore testStore) {
    try (TestCluster cluster = new TestCluster(testStore)) {
      ManualNode node = cluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task());
      node.loops.claim();
      node.workers.runAll();
      node.faults.refuse("apply", written -> true);
      assertThat(node.loops.settle()).isOne();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(node.loops::settle).isInstanceOf(StoreException.class);
      }
      assertThat(node.loops.unsettled()).isOne();
      node.faults.refuse("apply", written -> false);
      node.loops.settle();

      assertThat(assertRecorded(cluster, node, id, TaskGiveUpReason.NO_POLICY).details().code())
          .isEqualTo("unstorable");
    }
  }
}
