// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.TaskContext;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A failure was written in two steps, first the state and then the instant of the retry; between
 * them the task was due, and another worker took it at once.
 */
class Fault16RetryInOneWriteTest {

  private static final Duration DELAY = Duration.ofDays(1);
  private static final RetryPolicy TOMORROW =
      RetryPolicy.fixed(DELAY).jitter(Jitter.none()).maxRetries(3).build();

  /** Fails, and remembers whom it saw. */
  private static final class Failing implements TaskHandler<String> {

    final Queue<UUID> seen = new ConcurrentLinkedQueue<>();

    @Override
    public void handle(String payload, TaskContext context) {
      seen.add(context.task().id());
      throw new IllegalStateException("attempt " + context.attempt());
    }
  }

  private static void assertWaitsForTomorrow(TestCluster testCluster, Task task) {
    assertThat(task.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(task.times().dueAt()).isEqualTo(testCluster.clock.instant().plus(DELAY));
    assertThat(task.retryCounters().attempt()).isOne();
    assertThat(task.epoch()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void nobody_gets_it_between_any_two_steps(TestStore testStore) {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      Failing failing = new Failing();
      ManualNode node = testCluster.node(failing);
      ManualNode greedy = testCluster.node(TestCluster.SUCCEEDS);
      UUID id = node.engine.submit(TestCluster.task().retry(TOMORROW));
      node.loops.claim();
      node.workers.runAll();

      node.line.around(() -> assertThat(greedy.loops.claim()).isZero());
      node.loops.settle();
      node.loops.renew();
      node.loops.expire();
      node.loops.reap();

      assertWaitsForTomorrow(testCluster, testCluster.find(id));
      assertThat(testCluster.attempts(id))
          .extracting(Attempt::nextAttemptAt)
          .containsExactly(testCluster.clock.instant().plus(DELAY));

      testCluster.advance(DELAY.minusMillis(1));
      assertThat(testCluster.node(TestCluster.SUCCEEDS).loops.claim()).isZero();
      testCluster.advance(Duration.ofMillis(1));
      assertThat(testCluster.node(TestCluster.SUCCEEDS).loops.claim()).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timeout_is_one_write_too(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      BlockingHandler slow = BlockingHandler.interruptible();
      ManualNode node = testCluster.node(slow);
      ManualNode greedy = testCluster.node(TestCluster.SUCCEEDS);
      Duration timeout = Duration.ofSeconds(10);
      UUID id = node.engine.submit(TestCluster.task().retry(TOMORROW).timeout(timeout));
      node.loops.claim();
      node.workers.startAll();
      slow.awaitStarted();
      testCluster.advance(timeout);

      node.line.around(() -> assertThat(greedy.loops.claim()).isZero());
      node.loops.watch();
      node.workers.awaitAll();
      assertThat(node.loops.settle()).isOne();

      assertWaitsForTomorrow(testCluster, testCluster.find(id));
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobody_gets_one_of_many_however_often_he_asks(TestStore testStore) throws Exception {
    try (TestCluster testCluster = new TestCluster(testStore)) {
      int tasks = 500;
      Failing failing = new Failing();
      Failing other = new Failing();
      ManualNode node = testCluster.node(50, failing);
      ManualNode greedy = testCluster.node(5, other);
      List<UUID> ids =
          node.engine.submitAll(TestCluster.tasks(tasks, TestCluster.task().retry(TOMORROW))).ids();

      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Integer> hammering =
          CompletableFuture.supplyAsync(
              () -> {
                int times = 0;
                for (boolean last = false; !last; times++) {
                  last = over.get();
                  greedy.claimAndRun();
                }
                return times;
              });
      for (int i = 0; i < tasks && failing.seen.size() + other.seen.size() < tasks; i++) {
        node.claimAndRun();
      }
      over.set(true);

      assertThat(hammering.get(60, TimeUnit.SECONDS)).isPositive();
      failing.seen.addAll(other.seen);
      assertThat(failing.seen).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(testCluster.all())
          .hasSize(tasks)
          .allSatisfy(task -> assertWaitsForTomorrow(testCluster, task));
    }
  }
}
